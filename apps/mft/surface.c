/* Ambiguity surfaces for the picture. */
#include "surface.h"

#include <math.h>
#include <mpi.h>
#include <string.h>

static double along(double low, double high, int i, int n) { return low + (high - low) * (i + 0.5) / n; }

static struct source point(const struct surface *surface, struct source found, int row, int column)
{
    double x = along(surface->x_low, surface->x_high, column, SURFACE_COLUMNS);
    double y = along(surface->y_low, surface->y_high, row, SURFACE_ROWS);
    double range = sqrt(found.x * found.x + found.y * found.y);

    if (surface->kind[0] == 'p')
        return (struct source){x, y, found.z};
    return (struct source){x * found.x / range, x * found.y / range, y};
}

static void fill(struct surface *surface, const struct scene *scene, struct source found, int snapshot, int rank,
                 int size)
{
    static double mine[SURFACE_COLUMNS];

    surface->t = scene->data.t[snapshot];
    for (int row = 0; row < SURFACE_ROWS; row++) {
        int own = row % size == rank;

        for (int i = 0; i < SURFACE_COLUMNS; i++)
            mine[i] = own ? field_match(&scene->replicas, &scene->data, snapshot, point(surface, found, row, i), 0,
                                        scene->replicas.n_tones)
                          : 0;
        /* one rank's numbers plus zeros: exact in any order of summation */
        MPI_Reduce(mine, surface->value[row], SURFACE_COLUMNS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
}

void surface_range_depth(struct surface *surface, const struct scene *scene, struct source found, int snapshot,
                         int rank, int size)
{
    surface->kind = "range-depth";
    surface->x_low = scene->replicas.r_min;
    surface->x_high = scene->replicas.r_max;
    surface->y_low = 0;
    surface->y_high = scene->replicas.z_max;
    fill(surface, scene, found, snapshot, rank, size);
}

void surface_plan(struct surface *surface, const struct scene *scene, struct source found, int snapshot, int rank,
                  int size)
{
    surface->kind = "plan";
    surface->x_low = -6000;
    surface->x_high = 6000;
    surface->y_low = -9500;
    surface->y_high = 3500;
    fill(surface, scene, found, snapshot, rank, size);
}
