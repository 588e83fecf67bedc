// Declarations shared by the files of the preloaded library. The functions that replace libc's have the same names.
// Each first calls `roost_page()`, and without a page calls the real function.
#ifndef CROOST_CLOCK_INSIDE_H
#define CROOST_CLOCK_INSIDE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "croost_clock_page.h"

// The real function that this library replaces, looked up once.
#define REAL(name)                                                                  \
    ({                                                                              \
        static __typeof__(&name) known;                                             \
        __typeof__(&name) found = __atomic_load_n(&known, __ATOMIC_RELAXED);        \
        if (!found) {                                                               \
            found = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                     \
            __atomic_store_n(&known, found, __ATOMIC_RELAXED);                      \
        }                                                                           \
        found;                                                                      \
    })

#pragma GCC visibility push(hidden)

// MARK: The page (attach.c)

// The page of this process, or NULL: then the process uses the machine's time.
struct croost_clock_page *roost_page(void);

// This process's slot, or NULL if it has taken no slot or no slot was free.
struct croost_clock_slot *roost_slot(void);

void roost_take_slot(void);

// The reading that a clock of libc shows. False for a clock that does not move, such as CPU time.
bool roost_is_virtual(clockid_t id, enum croost_clock *clock);

uint64_t roost_now(enum croost_clock clock);
uint64_t roost_sum(uint64_t first, uint64_t second);  // NEVER on overflow
uint64_t roost_nanoseconds(const struct timespec *time);
struct timespec roost_timespec(uint64_t nanoseconds);
bool roost_is_valid(const struct timespec *time);

// MARK: Waits (waits.c)

// How to wake a thread whose wait is over.
enum roost_wake {
    ROOST_WAKE_WORD,        // it sleeps on `roost_word()`
    ROOST_WAKE_DESCRIPTOR,  // it polls `roost_wait.descriptor` and its own descriptors
    ROOST_WAKE_FUTEX,       // it sleeps on the program's futex at `object`
    ROOST_WAKE_CONDITION,   // it sleeps on the pthread_cond_t at `object`
    ROOST_WAKE_NOT,         // it checks by itself
};

// A call that blocks until a virtual time. The struct is on the stack of the blocked thread.
struct roost_wait {
    enum roost_wake wake;
    enum croost_clock clock;
    uint64_t deadline;
    void *object;
    int descriptor;
    int kicks;
    struct roost_wait *next, **link;
};

// Registers a wait; the caller has set `wake`, `clock`, `deadline` and `object`. The caller must call `roost_wait_end`
// afterwards.
void roost_wait_begin(struct roost_wait *wait);
void roost_wait_end(struct roost_wait *wait);
bool roost_wait_is_over(const struct roost_wait *wait);

// The word on which threads sleep that wait only for time or for a semaphore. `roost_word_sleep` returns the errno.
uint32_t roost_word(void);
int roost_word_sleep(uint32_t seen);
void roost_word_wake(void);

// MARK: Timers (timers.c); called with the lock held

void roost_timers_fire(void);
void roost_timers_due(uint64_t due[CROOST_CLOCK_COUNT]);
void roost_timers_after_fork(void);

// MARK: The thread that fires due timers and ends due waits (waits.c)

void roost_lock(void);
void roost_unlock(void);
void roost_publish(void);       // with the lock held: writes the next deadlines to the slot
void roost_thread_start(void);  // does nothing if it runs
void roost_thread_nudge(void);  // makes it check for changes other than the time

// MARK: Dispatch's own housekeeping, which continues in real time (dispatch.c)

bool roost_is_of_dispatch(const void *address);
bool roost_monitor_is_known(void);
void roost_monitor_run(void);

// MARK: Calls that bypass our own functions (attach.c)

long roost_futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout);

#pragma GCC visibility pop

#endif
