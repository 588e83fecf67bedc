// Dispatch's own work continues in real time. Its pool must grow and shrink, and its spinning threads must sleep,
// whether or not a test moves the clocks. In virtual time, this work would also be a deadline every second, forever.
#define _GNU_SOURCE
#include <string.h>

#include "inside.h"

// The base address of libdispatch.so, or NULL. In a program that links it statically (-static-stdlib), Dispatch's code
// is indistinguishable from the program's own.
static const void *dispatch(void) {
    static const void *known;
    const void *base = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (base) return base;
    void *symbol = dlsym(RTLD_DEFAULT, "dispatch_main");
    Dl_info about;
    if (!symbol || !dladdr(symbol, &about) || !about.dli_fname) return NULL;
    if (!strstr(about.dli_fname, "libdispatch.so")) return NULL;
    __atomic_store_n(&known, about.dli_fbase, __ATOMIC_RELAXED);
    return about.dli_fbase;
}

bool roost_is_of_dispatch(const void *address) {
    const void *base = dispatch();
    Dl_info about;
    return base && dladdr(address, &about) && about.dli_fbase == base;
}

// MARK: The pool's monitor

// Dispatch's own timer, which checks every second whether the pool's threads are stuck and more are needed. This
// library does not arm that timer, and instead fires it once per second of real time.
static void *monitors[8];
static int monitor_count;

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway);

bool roost_monitor_is_known(void) { return __atomic_load_n(&monitor_count, __ATOMIC_ACQUIRE) > 0; }

void roost_monitor_run(void) {
    int count = __atomic_load_n(&monitor_count, __ATOMIC_ACQUIRE);
    for (int index = 0; index < count; index++) {
        REAL(dispatch_source_set_timer)(monitors[index], 0, UINT64_MAX, 0);
    }
}

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    const uint64_t second = 1000000000;
    // The only other timer of Dispatch's own, for an I/O channel, has a start time one interval from now.
    if (interval == second && roost_page() && start <= roost_now(CROOST_CLOCK_AWAKE) &&
        roost_is_of_dispatch(__builtin_return_address(0))) {
        // Called once per quality-of-service class, under Dispatch's own lock. The timers are never released.
        int index = __atomic_load_n(&monitor_count, __ATOMIC_ACQUIRE);
        if (index < 8) {
            monitors[index] = source;
            __atomic_store_n(&monitor_count, index + 1, __ATOMIC_RELEASE);
            interval = UINT64_MAX;
            roost_thread_nudge();
        }
    }
    REAL(dispatch_source_set_timer)(source, start, interval, leeway);
}
