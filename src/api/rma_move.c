/* rma_move.c: put and get (MPI 5.0, sections 12.3.1, 12.3.2 and 12.3.5). */
#include "rma.h"

static int check_there(struct rank *r, const struct rma_target *t, struct rma_call *x)
{
    struct data d = {0};
    int e = check_data(r, r, t->count, t->type, "target_count", &d); /* any address: it is not one of ours */
    x->there = (struct rma_data){NULL, d.count, d.type};
    return e;
}

static int move(struct rank *r, enum rma_kind kind, const struct rma_buffer *b, const struct rma_target *t, MPI_Win win,
                MPI_Request *request, int wants_request)
{
    struct win *w = NULL;
    struct rma_call x = {.kind = kind, .unit = 1};
    struct data here = {0};
    int e, nobody = 0;
    if ((e = check_win(r, win, &w)) || (wants_request && (e = check_pointer(r, request, "request"))) ||
        (e = rma_check_target(r, w, t, &x, &nobody)))
        return api_win_end(r, w, e);
    if (nobody)
        return rma_start(r, w, NULL, wants_request ? request : NULL, 0);
    if ((e = check_data(r, b->buf, b->count, b->type, "origin_addr", &here)) || (e = check_there(r, t, &x)))
        return api_win_end(r, w, e);
    const struct rma_data mine = {(void *)(uintptr_t)b->buf, here.count, here.type};
    size_t mine_bytes = here.count * here.type->size, there_bytes = x.there.count * x.there.type->size;
    *(kind == RMA_PUT ? &x.from : &x.to) = mine;
    x.bytes = kind == RMA_PUT ? mine_bytes : there_bytes;
    if (!(e = rma_check_fits(r, x.bytes, kind == RMA_PUT ? there_bytes : mine_bytes)))
        e = rma_check_place(r, w, t, &x);
    return rma_start(r, w, &x, wants_request ? request : NULL, e);
}

#pragma weak MPI_Put = PMPI_Put
int PMPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Put");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_PUT, &b, &t, win, NULL, 0);
}

#pragma weak MPI_Put_c = PMPI_Put_c
int PMPI_Put_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
               MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Put_c");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_PUT, &b, &t, win, NULL, 0);
}

#pragma weak MPI_Get = PMPI_Get
int PMPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Get");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_GET, &b, &t, win, NULL, 0);
}

#pragma weak MPI_Get_c = PMPI_Get_c
int PMPI_Get_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
               MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    struct rank *r = api_enter("MPI_Get_c");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_GET, &b, &t, win, NULL, 0);
}

#pragma weak MPI_Rput = PMPI_Rput
int PMPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rput");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_PUT, &b, &t, win, request, 1);
}

#pragma weak MPI_Rput_c = PMPI_Rput_c
int PMPI_Rput_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
                MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rput_c");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_PUT, &b, &t, win, request, 1);
}

#pragma weak MPI_Rget = PMPI_Rget
int PMPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
              int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rget");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_GET, &b, &t, win, request, 1);
}

#pragma weak MPI_Rget_c = PMPI_Rget_c
int PMPI_Rget_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
                MPI_Request *request)
{
    struct rank *r = api_enter("MPI_Rget_c");
    const struct rma_buffer b = {origin_addr, origin_count, origin_datatype};
    const struct rma_target t = {target_rank, target_disp, target_count, target_datatype};
    return move(r, RMA_GET, &b, &t, win, request, 1);
}
