// The calls that are blocked until a virtual time, and the thread that ends them.
//
// A blocked call is made without its own limit and is entered in a list. The thread sleeps on the page's generation.
// After the test has moved the clocks, the thread fires due timers and kicks the calls that are over. Then it publishes
// the next deadlines and acknowledges the move. While time does not move, nothing here wakes up.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "inside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct roost_wait *waits;

void roost_lock(void) { pthread_mutex_lock(&lock); }
void roost_unlock(void) { pthread_mutex_unlock(&lock); }

// MARK: The word

static uint32_t word;

uint32_t roost_word(void) { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }

int roost_word_sleep(uint32_t seen) {
    int kept = errno, error = roost_futex(&word, FUTEX_WAIT_PRIVATE, seen, NULL) == 0 ? 0 : errno;
    errno = kept;
    return error;
}

void roost_word_wake(void) {
    __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
    roost_futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
}

// MARK: The list

// Each thread that polls has one descriptor for waking it, until the thread ends.
static __thread int own_descriptor = -1;
static pthread_key_t descriptor_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void close_descriptor(void *value) { close((int)(intptr_t)value - 1); }

static int wake_descriptor(void) {
    if (own_descriptor < 0) {
        own_descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (own_descriptor >= 0) pthread_setspecific(descriptor_key, (void *)(intptr_t)(own_descriptor + 1));
    }
    return own_descriptor;
}

bool roost_wait_is_over(const struct roost_wait *wait) { return roost_now(wait->clock) >= wait->deadline; }

void roost_wait_begin(struct roost_wait *wait) {
    roost_thread_start();
    wait->descriptor = wait->wake == ROOST_WAKE_DESCRIPTOR ? wake_descriptor() : -1;
    wait->kicks = 0;
    roost_lock();
    wait->next = waits;
    wait->link = &waits;
    if (waits) waits->link = &wait->next;
    waits = wait;
    roost_publish();
    roost_unlock();
}

// The thread waits on this word until the calls that it kicked have returned.
static uint32_t returned;

void roost_wait_end(struct roost_wait *wait) {
    int kept = errno;
    roost_lock();
    *wait->link = wait->next;
    if (wait->next) wait->next->link = wait->link;
    uint64_t count;
    if (wait->kicks > 0 && wait->descriptor >= 0) (void)!read(wait->descriptor, &count, sizeof count);
    roost_publish();
    roost_unlock();
    if (wait->kicks > 0) {
        __atomic_fetch_add(&returned, 1, __ATOMIC_SEQ_CST);
        roost_futex(&returned, FUTEX_WAKE_PRIVATE, 1, NULL);
    }
    errno = kept;
}

void roost_publish(void) {
    struct croost_clock_slot *slot = roost_slot();
    if (!slot) return;
    uint64_t due[CROOST_CLOCK_COUNT] = {CROOST_CLOCK_NEVER, CROOST_CLOCK_NEVER, CROOST_CLOCK_NEVER};
    roost_timers_due(due);
    for (struct roost_wait *wait = waits; wait; wait = wait->next) {
        // A wait that is over but has not returned yet is no longer a deadline.
        if (wait->deadline < due[wait->clock] && !roost_wait_is_over(wait)) due[wait->clock] = wait->deadline;
    }
    for (int clock = 0; clock < CROOST_CLOCK_COUNT; clock++) {
        __atomic_store_n(&slot->due[clock], due[clock], __ATOMIC_RELEASE);
    }
}

// MARK: The thread

// A kick for a futex or condition is lost if the thread is about to sleep there but does not sleep yet. So the kick is
// repeated, one millisecond apart, until the call has returned or this limit is reached. A call that has not returned
// by then has received the kick and waits for its mutex, which is up to the program. A wait that checks by itself gets
// the same time to return.
enum { most_kicks = 16 };

static bool kick(struct roost_wait *wait) {
    bool may_be_lost = wait->wake != ROOST_WAKE_WORD && wait->wake != ROOST_WAKE_DESCRIPTOR;
    if (wait->kicks >= (may_be_lost ? most_kicks : 1)) return false;
    wait->kicks++;
    switch (wait->wake) {
        case ROOST_WAKE_DESCRIPTOR:
            if (wait->descriptor >= 0) (void)!write(wait->descriptor, &(uint64_t){1}, sizeof(uint64_t));
            break;
        case ROOST_WAKE_FUTEX:
            // Wake both private and shared futexes: the kernel distinguishes them, and a wake-up without a waiter does
            // no harm.
            roost_futex(wait->object, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
            roost_futex(wait->object, FUTEX_WAKE, INT_MAX, NULL);
            break;
        case ROOST_WAKE_CONDITION:
            // Other waiters wake up spuriously, which every user of a condition must handle.
            pthread_cond_broadcast(wait->object);
            break;
        case ROOST_WAKE_WORD:
        case ROOST_WAKE_NOT:
            break;
    }
    return may_be_lost;
}

// Kicks all waits that are over. Returns whether some kicks may be lost, so that those calls must be seen to return.
static bool kick_all(void) {
    bool any = false, some_may_be_lost = false;
    for (struct roost_wait *wait = waits; wait; wait = wait->next) {
        if (!roost_wait_is_over(wait)) continue;
        any = true;
        some_may_be_lost |= kick(wait);
    }
    if (any) roost_word_wake();
    return some_may_be_lost;
}

static void go_along(uint32_t generation) {
    bool again = true;
    while (again) {
        uint32_t seen = __atomic_load_n(&returned, __ATOMIC_SEQ_CST);
        roost_lock();
        roost_timers_fire();
        again = kick_all();
        roost_publish();
        roost_unlock();
        if (again) roost_futex(&returned, FUTEX_WAIT_PRIVATE, seen, &(struct timespec){.tv_nsec = 1000000});
    }
    struct croost_clock_slot *slot = roost_slot();
    if (!slot) return;
    __atomic_store_n(&slot->acknowledged, generation, __ATOMIC_RELEASE);
    roost_futex(&slot->acknowledged, FUTEX_WAKE, INT_MAX, NULL);
}

static void *run(void *unused) {
    (void)unused;
    struct croost_clock_page *page = roost_page();
    for (;;) {
        uint32_t generation = __atomic_load_n(&page->generation, __ATOMIC_SEQ_CST);
        go_along(generation);
        const struct timespec second = {.tv_sec = 1};
        bool monitor = roost_monitor_is_known();
        long result = roost_futex(&page->generation, FUTEX_WAIT, generation, monitor ? &second : NULL);
        if (monitor && result != 0 && errno == ETIMEDOUT) roost_monitor_run();
    }
    return NULL;
}

// The page's other processes also wake up, find nothing new, and sleep again.
void roost_thread_nudge(void) { roost_futex(&roost_page()->generation, FUTEX_WAKE, INT_MAX, NULL); }

// MARK: Starting it, also after a fork

static bool running;

static void after_fork(void) {
    // Only the thread that forked exists here: the other threads' waits are gone, and so is our own thread. The first
    // call that needs our thread starts it again. So a child that only calls exec stays small.
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    waits = NULL;
    own_descriptor = -1;
    running = false;
    roost_timers_after_fork();
}

static void prepare_once(void) {
    pthread_key_create(&descriptor_key, close_descriptor);
    pthread_atfork(roost_lock, roost_unlock, after_fork);
}

void roost_thread_start(void) {
    if (__atomic_load_n(&running, __ATOMIC_ACQUIRE)) return;
    pthread_once(&once, prepare_once);
    roost_lock();
    if (!running) {
        roost_take_slot();
        // Signals are for the program's own threads.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, 256 * 1024);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_t thread;
        if (pthread_create(&thread, &attributes, run, NULL) == 0) {
            pthread_setname_np(thread, "roost-clock");
            __atomic_store_n(&running, true, __ATOMIC_RELEASE);
        }
        pthread_attr_destroy(&attributes);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    roost_unlock();
}
