// Sleeping.
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "inside.h"

// Returns 0 at the deadline, or EINTR if a signal was handled before.
static int sleep_until(enum croost_clock clock, uint64_t deadline) {
    struct roost_wait wait = {.wake = ROOST_WAKE_WORD, .clock = clock, .deadline = deadline};
    roost_wait_begin(&wait);
    int error = 0;
    for (;;) {
        uint32_t seen = roost_word();
        if (roost_wait_is_over(&wait)) break;
        if ((error = roost_word_sleep(seen)) == EINTR) break;
    }
    roost_wait_end(&wait);
    return error == EINTR ? EINTR : 0;
}

// On a real clock, even a sleep of zero takes time, and Foundation relies on that. `Thread.sleep` reads a clock in
// floating-point seconds and sleeps for the rest, which may be less than a nanosecond. Here time would then stall
// forever. So a thread that repeatedly sleeps for zero at the same time sleeps for one nanosecond.
static uint64_t at_least_something(uint64_t now, uint64_t time) {
    enum { most_at_one_time = 100 };
    static __thread uint64_t last_now;
    static __thread unsigned count;
    if (time > 0) return time;
    count = now == last_now ? count + 1 : 0;
    last_now = now;
    return count < most_at_one_time ? 0 : 1;
}

static uint64_t left_until(enum croost_clock clock, uint64_t deadline) {
    uint64_t now = roost_now(clock);
    return deadline > now ? deadline - now : 0;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *asked, struct timespec *left) {
    enum croost_clock clock;
    if (!roost_page() || !roost_is_virtual(id, &clock)) return REAL(clock_nanosleep)(id, flags, asked, left);
    if (!roost_is_valid(asked) || asked->tv_sec < 0) return EINVAL;
    bool absolute = (flags & TIMER_ABSTIME) != 0;
    // As in the kernel, setting the wall clock does not change a relative time.
    if (!absolute && clock == CROOST_CLOCK_WALL) clock = CROOST_CLOCK_AWAKE;
    uint64_t now = roost_now(clock), time = roost_nanoseconds(asked);
    uint64_t deadline = absolute ? time : roost_sum(now, at_least_something(now, time));
    int error = sleep_until(clock, deadline);
    if (error != 0 && left && !absolute) *left = roost_timespec(left_until(clock, deadline));
    return error;
}

int nanosleep(const struct timespec *asked, struct timespec *left) {
    if (!roost_page()) return REAL(nanosleep)(asked, left);
    int error = clock_nanosleep(CLOCK_MONOTONIC, 0, asked, left);
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
}

int usleep(useconds_t microseconds) {
    if (!roost_page() || roost_is_of_dispatch(__builtin_return_address(0))) return REAL(usleep)(microseconds);
    struct timespec asked = roost_timespec((uint64_t)microseconds * 1000);
    return nanosleep(&asked, NULL);
}

unsigned sleep(unsigned seconds) {
    if (!roost_page() || roost_is_of_dispatch(__builtin_return_address(0))) return REAL(sleep)(seconds);
    struct timespec asked = {.tv_sec = seconds}, left;
    int kept = errno;
    if (nanosleep(&asked, &left) == 0) return 0;
    errno = kept;
    return (unsigned)left.tv_sec + (left.tv_nsec > 0);
}
