/* mesh_wormhole.c: wormhole routers, flit by flit. Nothing is approximated: what a loop over all routers and all
 * cycles would compute, this computes too, but it looks only at channels that may move a flit, and skips cycles
 * without any.
 *
 * The rules. In a cycle a physical channel carries one flit, of an input lane that owns one of its lanes and has a
 * flit there; inputs take turns (mesh_turn). A flit that crosses in cycle c may go on in c + 1; the place it leaves
 * can be filled in c + 1. A head asks for a lane router_cycles later than that, but not before it is at the front of
 * its buffer; free lanes go to waiting heads in turn, and a head may move in the very cycle in which it gets one. A
 * lane is free again in the cycle after the tail. Buffers hold several packets one after the other. A router's switch
 * is no limit: all its lanes may move at once. An interface fills the emptiest lane of its injection channel, and
 * begins a packet when the one before it is in.
 *
 * A cycle runs as one event at its end, so that a message sent at its very beginning takes part whatever the order of
 * events of that instant; first everything is decided from the state before the cycle, then everything moves, so that
 * the order within the lists does not matter.
 *
 * Invariant, between cycles: a channel that could move a flit or grant a lane in `cycle` or later is in `active`, or
 * waits for an entry of `pending`, or for a credit or flit that will put it there. The bit of a lane is in at most
 * one mask of one channel.
 */
#include "mesh_wormhole.h"

static void activate(struct wormhole *w, int pipe)
{
    if (w->pipe[pipe].active)
        return;
    w->pipe[pipe].active = 1;
    w->active[w->actives++] = pipe;
}

static void activate_injector(struct wormhole *w, int node)
{
    if (w->injector[node].active)
        return;
    w->injector[node].active = 1;
    w->injecting[w->injectings++] = node;
}

/* Can the front packet of the lane move its next flit? */
static void refresh(struct wormhole *w, int lane)
{
    const struct lane *l = &w->lane[lane];
    const struct stay *s = l->front;
    if (!s || s->lane == MESH_NONE)
        return;
    if (s->here > 0 && w->lane[s->lane].credits > 0) {
        w->pipe[s->pipe].able |= l->bit;
        activate(w, s->pipe);
    } else
        w->pipe[s->pipe].able &= ~l->bit;
}

/* The front packet of the lane asks for its next one, if it may in `cycle`. */
static void request(struct wormhole *w, int lane, uint64_t cycle)
{
    const struct lane *l = &w->lane[lane];
    const struct stay *s = l->front;
    if (!s || s->lane != MESH_NONE || s->ready > cycle)
        return;
    w->pipe[s->pipe].waiting |= l->bit;
    activate(w, s->pipe);
}

static void give_credit(struct wormhole *w, int lane)
{
    int pipe = w->lane[lane].pipe;
    w->lane[lane].credits++;
    if (mesh_injects(w->mesh, pipe))
        activate_injector(w, w->mesh->channel[pipe].to);
    else if (w->lane[lane].owner != MESH_NONE)
        refresh(w, w->lane[lane].owner);
}

/* A head comes into the buffer of `lane` in this cycle. */
static void enter(struct wormhole *w, int lane, struct transfer *t, int flits, int here)
{
    const struct mesh *m = w->mesh;
    int router = m->channel[w->lane[lane].pipe].to;
    struct mesh_route route = mesh_route(m, router, t->to);
    struct lane *l = &w->lane[lane];
    struct stay *s = wormhole_stay_alloc(w);
    *s = (struct stay){.transfer = t,
                       .ready = w->cycle + 1 + (uint64_t)m->d.router_cycles,
                       .flits = flits,
                       .here = here,
                       .left = flits,
                       .pipe = m->out[router * m->ports + route.port],
                       .lane = MESH_NONE,
                       .class = route.class};
    if (l->front)
        l->last->next = s;
    else
        l->front = s;
    l->last = s;
    wormhole_pending_add(w, s->ready, lane);
}

static void follow(struct wormhole *w, int lane, int flits)
{
    w->lane[lane].last->here += flits;
    refresh(w, lane);
}

static void watch_end(struct wormhole *w, int pipe)
{
    struct pipe *p = &w->pipe[pipe];
    struct clock clock = w->mesh->clock;
    if (p->run)
        network_busy(&w->mesh->network, pipe, clock_time(clock, p->run_from), clock_time(clock, p->run_to), p->run);
    p->run = NULL;
}

static void watch(struct wormhole *w, int pipe, const struct transfer *t, int tail)
{
    struct pipe *p = &w->pipe[pipe];
    if (p->run != t || p->run_to != w->cycle) {
        watch_end(w, pipe);
        p->run = t;
        p->run_from = w->cycle;
    }
    p->run_to = w->cycle + 1;
    if (tail)
        watch_end(w, pipe);
}

/* Lanes of the channel to the heads that wait for them. */
static void grant(struct wormhole *w, int pipe)
{
    struct pipe *p = &w->pipe[pipe];
    for (uint64_t asking = p->waiting; asking && p->unowned;) {
        int bit = mesh_turn_next(&p->granted, asking, w->lanes), from = p->input[bit];
        struct stay *s = w->lane[from].front;
        uint32_t fit = p->unowned & w->class_lanes[s->class];
        asking &= ~(1ull << bit);
        if (!fit)
            continue;
        int lane = __builtin_ctz(fit);
        s->lane = pipe * w->lanes + lane;
        w->lane[s->lane].owner = from;
        p->unowned &= ~(1u << lane);
        p->waiting &= ~(1ull << bit);
        mesh_turn_take(&p->granted, bit, w->lanes);
        refresh(w, from);
    }
}

/* Which flit each channel carries; those that carry none leave the list. */
static void decide_pipes(struct wormhole *w)
{
    int kept = 0;
    w->moves = 0;
    for (int i = 0; i < w->actives; i++) {
        int pipe = w->active[i];
        struct pipe *p = &w->pipe[pipe];
        if (p->waiting)
            grant(w, pipe);
        if (!p->able) {
            p->active = 0;
            continue;
        }
        int bit = mesh_turn_next(&p->moved, p->able, w->lanes);
        mesh_turn_take(&p->moved, bit, w->lanes);
        w->move[w->moves++] = (struct move){pipe, p->input[bit]};
        w->active[kept++] = pipe;
    }
    w->actives = kept;
}

static int emptiest(const struct wormhole *w, int channel)
{
    int best = channel * w->lanes;
    for (int i = best + 1; i < (channel + 1) * w->lanes; i++)
        if (w->lane[i].credits > w->lane[best].credits)
            best = i;
    return best;
}

/* How many flits the interface injects in this cycle; negative: it must wait for something that will activate it. */
static int decide_injector(struct wormhole *w, int node)
{
    struct mesh *m = w->mesh;
    struct injector *j = &w->injector[node];
    const struct transfer *t = m->node[node].cursor;
    if (!t)
        return -1;
    if (t->state[MESH_FIRST_CYCLE] > w->cycle)
        return 0;
    if (!j->left)
        j->lane = emptiest(w, m->in[node * m->ports + mesh_local_port(m)]);
    int room = w->lane[j->lane].credits, most = m->d.inject_flits < room ? m->d.inject_flits : room;
    if (!room)
        return -1;
    if (!j->left)
        j->left = j->flits = mesh_interface_cut(m, node);
    return j->left < most ? j->left : most;
}

static void decide_injectors(struct wormhole *w)
{
    int kept = 0;
    for (int i = 0; i < w->injectings; i++) {
        int node = w->injecting[i], flits = decide_injector(w, node);
        w->injector[node].moves = flits < 0 ? 0 : flits;
        if (flits < 0)
            w->injector[node].active = 0;
        else
            w->injecting[kept++] = node;
    }
    w->injectings = kept;
}

static void inject(struct wormhole *w, int node)
{
    struct injector *j = &w->injector[node];
    struct transfer *t = w->mesh->node[node].cursor;
    int flits = j->moves;
    w->lane[j->lane].credits -= flits;
    if (j->left == j->flits)
        enter(w, j->lane, t, j->flits, flits);
    else
        follow(w, j->lane, flits);
    j->left -= flits;
    if (w->mesh->network.watch.busy)
        watch(w, w->lane[j->lane].pipe, t, !j->left);
    if (!j->left && mesh_interface_injected(w->mesh, node))
        w->sent[w->sents++] = t;
}

/* The tail has left: the lane it owned is free, the packet behind it is next. */
static void leave(struct wormhole *w, int pipe, int lane)
{
    struct lane *l = &w->lane[lane];
    struct stay *s = l->front;
    w->lane[s->lane].owner = MESH_NONE;
    w->pipe[pipe].unowned |= 1u << (s->lane - pipe * w->lanes);
    w->pipe[pipe].able &= ~l->bit;
    l->front = s->next;
    wormhole_stay_free(w, s);
    request(w, lane, w->cycle + 1);
}

static void carry(struct wormhole *w, int pipe, int lane)
{
    struct stay *s = w->lane[lane].front;
    int head = s->left == s->flits, tail = s->left == 1;
    if (w->mesh->network.watch.busy)
        watch(w, pipe, s->transfer, tail);
    s->here--;
    s->left--;
    give_credit(w, lane);
    if (!mesh_ejects(w->mesh, pipe)) {
        w->lane[s->lane].credits--;
        if (head)
            enter(w, s->lane, s->transfer, s->flits, 1);
        else
            follow(w, s->lane, 1);
    } else if (tail)
        w->arrived[w->arriveds++] = s->transfer;
    if (tail)
        leave(w, pipe, lane);
    else
        refresh(w, lane);
}

static void heads_are_ready(struct wormhole *w)
{
    for (; w->pending_count; w->pending_count--, w->pending_first++) {
        struct pending p = w->pending[w->pending_first & (w->pending_room - 1)];
        if (p.cycle > w->cycle)
            return;
        request(w, p.lane, w->cycle);
    }
}

static void schedule(struct wormhole *w, uint64_t cycle)
{
    w->cycle = cycle;
    engine_schedule(w->mesh->engine, &w->event, clock_time(w->mesh->clock, cycle + 1));
}

static void tell(struct wormhole *w)
{
    int sents = w->sents, arriveds = w->arriveds;
    w->sents = w->arriveds = 0;
    for (int i = 0; i < sents; i++)
        mesh_interface_sent(w->mesh, w->sent[i]);
    for (int i = 0; i < arriveds; i++)
        mesh_interface_arrived(w->mesh, w->arrived[i]);
}

static void run_cycle(struct engine *e, struct event *ev)
{
    (void)e;
    struct wormhole *w = (struct wormhole *)ev;
    heads_are_ready(w);
    decide_pipes(w);
    decide_injectors(w);
    for (int i = 0; i < w->moves; i++)
        carry(w, w->move[i].pipe, w->move[i].lane);
    for (int i = 0; i < w->injectings; i++)
        if (w->injector[w->injecting[i]].moves) /* of one that was activated just now: 0 */
            inject(w, w->injecting[i]);
    if (w->actives || w->injectings)
        schedule(w, w->cycle + 1);
    else if (w->pending_count)
        schedule(w, w->pending[w->pending_first & (w->pending_room - 1)].cycle);
    tell(w);
}

void wormhole_start(struct mesh *m, int node, uint64_t cycle)
{
    struct wormhole *w = m->wormhole;
    activate_injector(w, node);
    if (!w->event.place || cycle < w->cycle) {
        w->event.run = run_cycle;
        schedule(w, cycle);
    }
}
