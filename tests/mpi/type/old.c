/* What MPI 1 had for datatypes and MPI 3 removed: old programs still say it. */
#include "../check.h"

int main(int argc, char **argv)
{
    check_start(&argc, &argv);
    MPI_Datatype t, with_markers;
    MPI_Aint lb, ub, extent, here, there;
    struct {
        int a;
        double b[2];
    } one = {7, {1.5, 2.5}}, two = {0, {0, 0}};
    MPI_Address(&one, &here);
    MPI_Address(one.b, &there);
    MPI_Type_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, there - here}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &t);
    MPI_Type_commit(&t);
    MPI_Sendrecv(&one, 1, t, 0, 1, &two, 1, t, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(two.a == 7 && two.b[0] == 1.5 && two.b[1] == 2.5, "%d %g %g", two.a, two.b[0], two.b[1]);
    MPI_Type_extent(t, &extent);
    CHECK(extent == (MPI_Aint)sizeof one, "extent %ld", (long)extent);
    MPI_Type_free(&t);

    MPI_Type_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){-3, 0, 6}, (MPI_Datatype[]){MPI_LB, MPI_INT, MPI_UB}, &t);
    MPI_Type_lb(t, &lb);
    MPI_Type_ub(t, &ub);
    MPI_Type_extent(t, &extent);
    CHECK(lb == -3 && ub == 6 && extent == 9, "lb %ld, ub %ld, extent %ld", (long)lb, (long)ub, (long)extent);
    /* Markers of a component count for the whole. */
    MPI_Type_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 100}, (MPI_Datatype[]){t, MPI_CHAR}, &with_markers);
    MPI_Type_lb(with_markers, &lb);
    MPI_Type_ub(with_markers, &ub);
    CHECK(lb == -3 && ub == 6, "lb %ld, ub %ld", (long)lb, (long)ub);
    MPI_Type_free(&t);
    MPI_Type_free(&with_markers);

    MPI_Type_hvector(2, 1, 10, MPI_SHORT, &t);
    MPI_Type_extent(t, &extent);
    CHECK(extent == 12, "extent %ld", (long)extent);
    MPI_Type_free(&t);
    MPI_Type_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){2, 10}, MPI_SHORT, &t);
    MPI_Type_lb(t, &lb);
    MPI_Type_ub(t, &ub);
    CHECK(lb == 2 && ub == 14, "lb %ld, ub %ld", (long)lb, (long)ub);
    MPI_Type_free(&t);
    return check_finish();
}
