// Reading the clocks.
#define _GNU_SOURCE
#include <sys/time.h>

#include "inside.h"

int clock_gettime(clockid_t id, struct timespec *time) {
    enum croost_clock clock;
    if (!roost_page() || !roost_is_virtual(id, &clock)) return REAL(clock_gettime)(id, time);
    *time = roost_timespec(roost_now(clock));
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    if (!roost_page()) return REAL(gettimeofday)(time, zone);
    // The time zone has been zero for decades.
    if (zone) *(struct timezone *)zone = (struct timezone){0};
    struct timespec now = roost_timespec(roost_now(CROOST_CLOCK_WALL));
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    if (!roost_page()) return REAL(time)(result);
    time_t now = roost_timespec(roost_now(CROOST_CLOCK_WALL)).tv_sec;
    if (result) *result = now;
    return now;
}

// C11's function, which in libc does not call `clock_gettime`.
int timespec_get(struct timespec *time, int base) {
    if (!roost_page() || base != TIME_UTC) return REAL(timespec_get)(time, base);
    *time = roost_timespec(roost_now(CROOST_CLOCK_WALL));
    return base;
}
