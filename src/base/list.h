/* list.h: a doubly linked list threaded through its elements; the head is a node. */
#ifndef MPICO_LIST_H
#define MPICO_LIST_H

#include <stddef.h>

struct list {
    struct list *next, *prev;
};

#define list_entry(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

static inline void list_init(struct list *head) { head->next = head->prev = head; }
static inline int list_empty(const struct list *head) { return head->next == head; }
static inline void list_append(struct list *head, struct list *node)
{
    node->prev = head->prev;
    node->next = head;
    head->prev->next = node;
    head->prev = node;
}
static inline void list_remove(struct list *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
    node->next = node->prev = node;
}

#endif
