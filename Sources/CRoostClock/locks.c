// Waits with a time limit: conditions, mutexes, semaphores and futexes.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inside.h"

// MARK: Conditions

static int condition_until(pthread_cond_t *condition, pthread_mutex_t *mutex, enum croost_clock clock,
                           const struct timespec *time) {
    if (!roost_is_valid(time)) return EINVAL;
    struct roost_wait wait = {
        .wake = ROOST_WAKE_CONDITION, .clock = clock, .deadline = roost_nanoseconds(time), .object = condition};
    roost_wait_begin(&wait);
    int error = 0;
    bool waited = !roost_wait_is_over(&wait);
    if (waited) error = pthread_cond_wait(condition, mutex);
    // Read the result before the wait ends, so that it describes the moment of return.
    bool over = roost_wait_is_over(&wait);
    roost_wait_end(&wait);
    if (!waited) {
        // The deadline has already passed. Release the mutex anyway, or a loop around this call would block other
        // threads forever.
        if ((error = pthread_mutex_unlock(mutex)) != 0) return error;
        sched_yield();
        error = pthread_mutex_lock(mutex);
    }
    // A signal consumed by a wait that is over is not lost: the kick that ended the wait woke all threads.
    return error != 0 ? error : over ? ETIMEDOUT : 0;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict time) {
    if (!roost_page()) return REAL(pthread_cond_timedwait)(condition, mutex, time);
    // Only glibc knows a condition's clock; it stores the clock in this bit.
    bool monotonic = (condition->__data.__wrefs & 2) != 0;
    return condition_until(condition, mutex, monotonic ? CROOST_CLOCK_AWAKE : CROOST_CLOCK_WALL, time);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t id,
                           const struct timespec *restrict time) {
    enum croost_clock clock;
    if (!roost_page() || !roost_is_virtual(id, &clock)) {
        return REAL(pthread_cond_clockwait)(condition, mutex, id, time);
    }
    return condition_until(condition, mutex, clock, time);
}

// MARK: Mutexes

// A timed wait for a mutex is either short or caused by a bug, so checking every few milliseconds is sufficient.
static int mutex_until(pthread_mutex_t *mutex, enum croost_clock clock, const struct timespec *time) {
    int error = pthread_mutex_trylock(mutex);
    if (error != EBUSY) return error;
    if (!roost_is_valid(time)) return EINVAL;
    struct roost_wait wait = {.wake = ROOST_WAKE_NOT, .clock = clock, .deadline = roost_nanoseconds(time)};
    roost_wait_begin(&wait);
    do {
        bool over = roost_wait_is_over(&wait);
        struct timespec soon;
        REAL(clock_gettime)(CLOCK_MONOTONIC, &soon);
        soon = roost_timespec(roost_nanoseconds(&soon) + (over ? 0 : 2000000));
        error = REAL(pthread_mutex_clocklock)(mutex, CLOCK_MONOTONIC, &soon);
        if (over) break;
    } while (error == ETIMEDOUT);
    roost_wait_end(&wait);
    return error;
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    if (!roost_page()) return REAL(pthread_mutex_timedlock)(mutex, time);
    return mutex_until(mutex, CROOST_CLOCK_WALL, time);
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t id, const struct timespec *restrict time) {
    enum croost_clock clock;
    if (!roost_page() || !roost_is_virtual(id, &clock)) return REAL(pthread_mutex_clocklock)(mutex, id, time);
    return mutex_until(mutex, clock, time);
}

// MARK: Semaphores

// The number of threads in a timed wait for a semaphore. While the number is not zero, posting a semaphore wakes all
// these threads to check.
static int waiting;

static int semaphore_until(sem_t *semaphore, enum croost_clock clock, const struct timespec *time) {
    int kept = errno;
    if (sem_trywait(semaphore) == 0) return 0;
    if (!roost_is_valid(time)) return errno = EINVAL, -1;
    struct roost_wait wait = {.wake = ROOST_WAKE_WORD, .clock = clock, .deadline = roost_nanoseconds(time)};
    roost_wait_begin(&wait);
    __atomic_fetch_add(&waiting, 1, __ATOMIC_SEQ_CST);
    int error = 0;
    for (;;) {
        uint32_t seen = roost_word();
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (sem_trywait(semaphore) == 0) {
            error = 0;
            break;
        }
        if (error == EINTR) break;
        if (roost_wait_is_over(&wait)) {
            error = ETIMEDOUT;
            break;
        }
        error = roost_word_sleep(seen);
    }
    __atomic_fetch_sub(&waiting, 1, __ATOMIC_SEQ_CST);
    roost_wait_end(&wait);
    errno = error != 0 ? error : kept;
    return error != 0 ? -1 : 0;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
    if (!roost_page()) return REAL(sem_timedwait)(semaphore, time);
    if (roost_is_of_dispatch(semaphore)) {
        // The caller is a thread of Dispatch's pool that waits for work and ends after five seconds without work. Its
        // semaphore is a variable in Dispatch itself; a program's semaphores are on the heap.
        uint64_t now = roost_now(CROOST_CLOCK_WALL), asked = roost_nanoseconds(time);
        struct timespec real;
        REAL(clock_gettime)(CLOCK_REALTIME, &real);
        real = roost_timespec(roost_sum(roost_nanoseconds(&real), asked > now ? asked - now : 0));
        return REAL(sem_timedwait)(semaphore, &real);
    }
    return semaphore_until(semaphore, CROOST_CLOCK_WALL, time);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t id, const struct timespec *restrict time) {
    enum croost_clock clock;
    if (!roost_page() || !roost_is_virtual(id, &clock)) return REAL(sem_clockwait)(semaphore, id, time);
    return semaphore_until(semaphore, clock, time);
}

// No lock here, because a signal handler may call this.
int sem_post(sem_t *semaphore) {
    int result = REAL(sem_post)(semaphore);
    if (!roost_page()) return result;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) > 0) {
        int kept = errno;
        roost_word_wake();
        errno = kept;
    }
    return result;
}

// MARK: Futexes

static long futex_until(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout, long mask) {
    if (!roost_is_valid(timeout)) return errno = EINVAL, -1;
    // FUTEX_WAIT takes a relative time, FUTEX_WAIT_BITSET an absolute one.
    bool relative = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT;
    bool wall = !relative && (operation & FUTEX_CLOCK_REALTIME) != 0;
    enum croost_clock clock = wall ? CROOST_CLOCK_WALL : CROOST_CLOCK_AWAKE;
    uint64_t time = roost_nanoseconds(timeout);
    struct roost_wait wait = {.wake = ROOST_WAKE_FUTEX,
                              .clock = clock,
                              .deadline = relative ? roost_sum(roost_now(clock), time) : time,
                              .object = word};
    roost_wait_begin(&wait);
    long result;
    if (roost_wait_is_over(&wait)) {
        bool changed = __atomic_load_n(word, __ATOMIC_SEQ_CST) != value;
        result = -1;
        errno = changed ? EAGAIN : ETIMEDOUT;
    } else {
        result = REAL(syscall)(SYS_futex, word, operation, value, NULL, NULL, mask);
        // Our kick looks like any other wake-up. But a program that wakes a waiter has changed the word before.
        bool changed = __atomic_load_n(word, __ATOMIC_SEQ_CST) != value;
        if (result == 0 && !changed && roost_wait_is_over(&wait)) {
            result = -1;
            errno = ETIMEDOUT;
        }
    }
    roost_wait_end(&wait);
    return result;
}

// Dispatch waits for groups and blocks with a futex, which has no function in libc.
long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), d = va_arg(rest, long),
         e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_futex && d != 0 && roost_page()) {
        int operation = (int)b & FUTEX_CMD_MASK;
        if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
            return futex_until((uint32_t *)a, (int)b, (uint32_t)c, (const struct timespec *)d, f);
        }
    }
    return REAL(syscall)(number, a, b, c, d, e, f);
}
