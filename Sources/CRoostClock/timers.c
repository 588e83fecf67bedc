// timerfds, with which Dispatch and Foundation's run loop wait.
//
// The program gets an eventfd instead of a timerfd. Both behave alike when polled and read: readable once the timer has
// fired, with the number of firings. The kernel runs no timer for it. `roost_timers_fire` writes to the eventfd when
// the timer is due.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inside.h"

struct timer {
    int descriptor;  // the program's
    int own;         // our duplicate: by the time we write, the program's number may refer to another file
    enum croost_clock clock;        // the clock it was created for
    enum croost_clock armed_clock;  // the clock it currently uses
    uint64_t due;                   // NEVER: disarmed
    uint64_t interval;
    struct timer *next;
};

static struct timer *timers;

static struct timer **find(int descriptor) {
    struct timer **link = &timers;
    while (*link && (*link)->descriptor != descriptor) link = &(*link)->next;
    return link;
}

// A closed timer neither fires nor counts as a deadline. `close` is called anywhere, even if the lock must not be
// taken, as in a signal handler. So a separate bit marks the descriptors of timers.
static uint64_t is_timer[1024 / 64];

static void mark(int descriptor, bool timer) {
    if (descriptor < 0 || descriptor >= 1024) return;
    uint64_t bit = UINT64_C(1) << (descriptor % 64);
    if (timer) __atomic_fetch_or(&is_timer[descriptor / 64], bit, __ATOMIC_RELEASE);
    if (!timer) __atomic_fetch_and(&is_timer[descriptor / 64], ~bit, __ATOMIC_RELEASE);
}

static bool may_be_timer(int descriptor) {
    if (descriptor < 0 || !__atomic_load_n(&timers, __ATOMIC_ACQUIRE)) return false;
    if (descriptor >= 1024) return true;
    return __atomic_load_n(&is_timer[descriptor / 64], __ATOMIC_ACQUIRE) >> (descriptor % 64) & 1;
}

static void forget(int descriptor) {
    struct timer **link = find(descriptor), *timer = *link;
    if (!timer) return;
    *link = timer->next;
    mark(descriptor, false);
    REAL(close)(timer->own);
    free(timer);
}

// MARK: Firing; all functions are called with the lock held

static void fire(struct timer *timer, uint64_t now) {
    uint64_t times = timer->interval ? 1 + (now - timer->due) / timer->interval : 1;
    timer->due = timer->interval ? roost_sum(timer->due, times * timer->interval) : CROOST_CLOCK_NEVER;
    (void)!write(timer->own, &times, sizeof times);
}

void roost_timers_fire(void) {
    for (;;) {
        // Fire the timer first that has been due for the longest time.
        struct timer *first = NULL;
        uint64_t longest = 0;
        for (struct timer *timer = timers; timer; timer = timer->next) {
            uint64_t now = roost_now(timer->armed_clock);
            if (timer->due > now || (first && now - timer->due <= longest)) continue;
            first = timer;
            longest = now - timer->due;
        }
        if (!first) return;
        fire(first, roost_now(first->armed_clock));
    }
}

void roost_timers_due(uint64_t due[CROOST_CLOCK_COUNT]) {
    for (struct timer *timer = timers; timer; timer = timer->next) {
        if (timer->due < due[timer->armed_clock]) due[timer->armed_clock] = timer->due;
    }
}

void roost_timers_after_fork(void) {
    // After a fork the parent shares the timerfd. The parent's thread still fires it, so the child must not.
    for (struct timer *timer = timers; timer; timer = timer->next) timer->due = CROOST_CLOCK_NEVER;
}

// MARK: libc's functions

int timerfd_create(clockid_t id, int flags) {
    enum croost_clock clock;
    if (!roost_page() || !roost_is_virtual(id, &clock)) return REAL(timerfd_create)(id, flags);
    _Static_assert(TFD_CLOEXEC == EFD_CLOEXEC && TFD_NONBLOCK == EFD_NONBLOCK, "the flags are the same");
    if (flags & ~(TFD_CLOEXEC | TFD_NONBLOCK)) return errno = EINVAL, -1;
    struct timer *timer = malloc(sizeof *timer);
    if (!timer) return errno = ENOMEM, -1;
    int descriptor = eventfd(0, flags), own = descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (own < 0) {
        int error = errno;
        if (descriptor >= 0) REAL(close)(descriptor);
        free(timer);
        return errno = error, -1;
    }
    *timer = (struct timer){.descriptor = descriptor, .own = own, .clock = clock, .due = CROOST_CLOCK_NEVER};
    roost_thread_start();
    roost_lock();
    forget(descriptor);  // An old timer with this number, closed without our knowledge, for example by `close_range`.
    timer->next = timers;
    __atomic_store_n(&timers, timer, __ATOMIC_RELEASE);
    mark(descriptor, true);
    roost_unlock();
    return descriptor;
}

static struct itimerspec left_of(const struct timer *timer) {
    if (timer->due == CROOST_CLOCK_NEVER) return (struct itimerspec){0};
    uint64_t now = roost_now(timer->armed_clock);
    return (struct itimerspec){
        .it_value = roost_timespec(timer->due > now ? timer->due - now : 1),
        .it_interval = roost_timespec(timer->interval),
    };
}

static void arm(struct timer *timer, int flags, const struct itimerspec *value) {
    // Arming the timer again discards a firing that was not read.
    uint64_t count;
    (void)!preadv2(timer->own, &(struct iovec){&count, sizeof count}, 1, -1, RWF_NOWAIT);
    uint64_t time = roost_nanoseconds(&value->it_value);
    timer->interval = roost_nanoseconds(&value->it_interval);
    // As in the kernel, setting the wall clock does not change a relative time.
    bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
    timer->armed_clock = absolute || timer->clock != CROOST_CLOCK_WALL ? timer->clock : CROOST_CLOCK_AWAKE;
    timer->due = time == 0 ? CROOST_CLOCK_NEVER : absolute ? time : roost_sum(roost_now(timer->armed_clock), time);
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *before) {
    if (!roost_page()) return REAL(timerfd_settime)(descriptor, flags, value, before);
    int kept = errno;
    roost_thread_start();
    roost_lock();
    struct timer *timer = *find(descriptor);
    bool is_valid = value && roost_is_valid(&value->it_value) && roost_is_valid(&value->it_interval);
    if (timer && is_valid) {
        if (before) *before = left_of(timer);
        arm(timer, flags, value);
        roost_timers_fire();
        roost_publish();
    }
    roost_unlock();
    if (!timer) return REAL(timerfd_settime)(descriptor, flags, value, before);
    errno = is_valid ? kept : EINVAL;
    return is_valid ? 0 : -1;
}

int timerfd_gettime(int descriptor, struct itimerspec *value) {
    if (!roost_page()) return REAL(timerfd_gettime)(descriptor, value);
    roost_lock();
    struct timer *timer = *find(descriptor);
    if (timer) *value = left_of(timer);
    roost_unlock();
    return timer ? 0 : REAL(timerfd_gettime)(descriptor, value);
}

int close(int descriptor) {
    if (may_be_timer(descriptor)) {
        roost_lock();
        forget(descriptor);
        roost_publish();
        roost_unlock();
    }
    return REAL(close)(descriptor);
}
