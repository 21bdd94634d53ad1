/* type_old.c: questions about extents as MPI 1 asked them; MPI 3 removed them. */
#include "api.h"

static int ask(struct rank *r, MPI_Datatype type, MPI_Aint *answer, int lower, int extent)
{
    const struct type *t = NULL;
    int e;
    if ((e = check_any_type(r, type, &t)) || (e = check_pointer(r, answer, "displacement or extent")))
        return api_error(r, NULL, e);
    *answer = (MPI_Aint)((lower ? t->lower : 0) + (extent ? t->extent : 0));
    return MPI_SUCCESS;
}

#pragma weak MPI_Type_lb = PMPI_Type_lb
int PMPI_Type_lb(MPI_Datatype type, MPI_Aint *displacement)
{
    struct rank *r = api_enter("MPI_Type_lb");
    return ask(r, type, displacement, 1, 0);
}

#pragma weak MPI_Type_ub = PMPI_Type_ub
int PMPI_Type_ub(MPI_Datatype type, MPI_Aint *displacement)
{
    struct rank *r = api_enter("MPI_Type_ub");
    return ask(r, type, displacement, 1, 1);
}

#pragma weak MPI_Type_extent = PMPI_Type_extent
int PMPI_Type_extent(MPI_Datatype type, MPI_Aint *extent)
{
    struct rank *r = api_enter("MPI_Type_extent");
    return ask(r, type, extent, 0, 1);
}
