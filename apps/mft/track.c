/* The towing ship's logged positions during one event, in metres about the array. */
#include "track.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define PI 3.14159265358979323846

/* From the data's description: event S5 began at 23:15 UTC on the first day; a log time lags UTC by 1 min 3 s. */
static const double event_start_s = 23 * 3600.0 + 15 * 60.0;
static const double log_lag_s = 63.0;
static const double margin_s = 120.0;
static const double widest_gap_s = 300.0;

/* Position of the vertical line array: 32 deg 40.254' N, 117 deg 21.620' W. */
static const double array_lat = 32 + 40.254 / 60;
static const double array_lon = -(117 + 21.620 / 60);

/* Plane through the array tangent to the WGS 84 ellipsoid; within 10 km its error is far below the log's 0.01' (18
   m). */
static void project(double lat, double lon, double *x, double *y)
{
    const double a = 6378137.0, e2 = 6.69437999014e-3;
    double phi = array_lat * PI / 180, s = sin(phi), w = sqrt(1 - e2 * s * s);
    double meridian = a * (1 - e2) / (w * w * w), normal = a / w;

    *x = (lon - array_lon) * PI / 180 * normal * cos(phi);
    *y = (lat - array_lat) * PI / 180 * meridian;
}

/* "23:57   32 38.95 N  117 21.35 W (Nav Receiver Data)" */
static bool parse_fix(const char *line, double *day_s, double *lat, double *lon)
{
    int hour, minute, lat_deg, lon_deg;
    double lat_min, lon_min;
    char north, west;

    if (sscanf(line, "%2d:%2d %3d %lf %c %3d %lf %c", &hour, &minute, &lat_deg, &lat_min, &north, &lon_deg, &lon_min,
               &west) != 8)
        return false;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || north != 'N' || west != 'W' || lat_deg < 0 ||
        lat_deg > 90 || lon_deg < 0 || lon_deg > 180 || !(lat_min >= 0 && lat_min < 60) ||
        !(lon_min >= 0 && lon_min < 60))
        return false;
    *day_s = hour * 3600.0 + minute * 60.0;
    *lat = lat_deg + lat_min / 60;
    *lon = -(lon_deg + lon_min / 60);
    return true;
}

/* Lines are not all in the order of time: each fix is inserted where it belongs. A repeated minute keeps its first
   fix. */
static int insert_fix(struct track *track, double t, double x, double y)
{
    int at = track->n;

    while (at > 0 && track->t[at - 1] >= t)
        at--;
    if (at < track->n && track->t[at] == t)
        return 0;
    if (track->n == MAX_FIXES)
        return complain("more than %d fixes in the event; shorten the log.", MAX_FIXES);
    for (int i = track->n; i > at; i--) {
        track->t[i] = track->t[i - 1];
        track->x[i] = track->x[i - 1];
        track->y[i] = track->y[i - 1];
    }
    track->t[at] = t;
    track->x[at] = x;
    track->y[at] = y;
    track->n++;
    return 0;
}

static int read_log(struct track *track, struct reader *in, int day, double length_s)
{
    int got;

    while ((got = reader_next(in)) > 0) {
        double day_s, lat, lon, x, y, t;

        /* a restarted logger writes its title, at times on the tail of a fix */
        if (in->line[0] == '\0' || strncmp(in->line, "Automatic Log File", 18) == 0)
            continue;
        if (!parse_fix(in->line, &day_s, &lat, &lon))
            return reader_reject(in, "a fix (hh:mm, degrees and minutes N, degrees and minutes W)");
        t = day * 86400.0 + day_s + log_lag_s - event_start_s;
        if (t < -margin_s || t > length_s + margin_s)
            continue;
        project(lat, lon, &x, &y);
        if (insert_fix(track, t, x, y))
            return -1;
    }
    return got;
}

static int check_cover(const struct track *track, double length_s)
{
    if (track->n < 2 || track->t[0] > 0 || track->t[track->n - 1] < length_s)
        return complain("the position log does not cover the event; take complete logs of both days.");
    for (int i = 1; i < track->n; i++)
        if (track->t[i] - track->t[i - 1] > widest_gap_s)
            return complain("the position log has a gap of %g minutes in the event; take a complete log.",
                            (track->t[i] - track->t[i - 1]) / 60);
    return 0;
}

int track_read(struct track *track, const char *folder, const char *const names[], int n_names, double length_s)
{
    track->n = 0;
    for (int day = 0; day < n_names; day++) {
        struct reader in;
        int status;

        if (reader_open(&in, folder, names[day]))
            return -1;
        status = read_log(track, &in, day, length_s);
        reader_close(&in);
        if (status)
            return -1;
    }
    return check_cover(track, length_s);
}

void track_at(const struct track *track, double t, double *x, double *y)
{
    int i = 1;
    double u;

    while (i < track->n - 1 && track->t[i] < t)
        i++;
    u = (t - track->t[i - 1]) / (track->t[i] - track->t[i - 1]);
    *x = track->x[i - 1] + u * (track->x[i] - track->x[i - 1]);
    *y = track->y[i - 1] + u * (track->y[i] - track->y[i - 1]);
}
