// The test's side of the page: creates it, moves its clocks, and waits for the processes to follow.
#define _GNU_SOURCE
#include "croost_clock_page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "idle.h"

// MARK: The page

int croost_clock_create(const char *path, uint64_t awake, uint64_t elapsed, uint64_t wall,
                        struct croost_clock_page **page) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    struct croost_clock_page *made = MAP_FAILED;
    if (ftruncate(file, sizeof *made) == 0) {
        made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    int error = errno;
    close(file);
    if (made == MAP_FAILED) {
        unlink(path);
        return error;
    }
    made->version = CROOST_CLOCK_VERSION;
    made->slot_count = CROOST_CLOCK_SLOTS;
    made->now[CROOST_CLOCK_AWAKE] = awake;
    made->now[CROOST_CLOCK_ELAPSED] = elapsed;
    made->now[CROOST_CLOCK_WALL] = wall;
    for (int index = 0; index < CROOST_CLOCK_SLOTS; index++) {
        for (int clock = 0; clock < CROOST_CLOCK_COUNT; clock++) {
            made->slots[index].due[clock] = CROOST_CLOCK_NEVER;
        }
    }
    __atomic_store_n(&made->magic, CROOST_CLOCK_MAGIC, __ATOMIC_RELEASE);
    *page = made;
    return 0;
}

void croost_clock_close(struct croost_clock_page *page) { munmap(page, sizeof *page); }

uint64_t croost_clock_now(const struct croost_clock_page *page, enum croost_clock clock) {
    return __atomic_load_n(&page->now[clock], __ATOMIC_ACQUIRE);
}

void croost_clock_move(struct croost_clock_page *page, uint64_t awake, uint64_t elapsed, int64_t wall) {
    __atomic_fetch_add(&page->now[CROOST_CLOCK_AWAKE], awake, __ATOMIC_RELEASE);
    __atomic_fetch_add(&page->now[CROOST_CLOCK_ELAPSED], elapsed, __ATOMIC_RELEASE);
    __atomic_fetch_add(&page->now[CROOST_CLOCK_WALL], (uint64_t)wall, __ATOMIC_RELEASE);
    __atomic_fetch_add(&page->generation, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &page->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

// MARK: The slots

// The next slot of a process (`pid` 0: of any process), or NULL. `from` is the position of the search.
static struct croost_clock_slot *next_slot(const struct croost_clock_page *page, pid_t pid, int *from) {
    while (*from < CROOST_CLOCK_SLOTS) {
        const struct croost_clock_slot *slot = &page->slots[(*from)++];
        int32_t owner = __atomic_load_n(&slot->pid, __ATOMIC_ACQUIRE);
        if (owner != 0 && (pid == 0 || owner == pid)) return (struct croost_clock_slot *)slot;
    }
    return NULL;
}

int croost_clock_is_attached(const struct croost_clock_page *page, pid_t pid) {
    int from = 0;
    return next_slot(page, pid, &from) != NULL;
}

uint64_t croost_clock_until_due(const struct croost_clock_page *page, pid_t pid) {
    uint64_t least = CROOST_CLOCK_NEVER;
    int from = 0;
    for (struct croost_clock_slot *slot; (slot = next_slot(page, pid, &from)) != NULL;) {
        for (int clock = 0; clock < CROOST_CLOCK_COUNT; clock++) {
            uint64_t due = __atomic_load_n(&slot->due[clock], __ATOMIC_ACQUIRE);
            if (due == CROOST_CLOCK_NEVER) continue;
            uint64_t now = croost_clock_now(page, clock), left = due > now ? due - now : 0;
            if (left < least) least = left;
        }
    }
    return least;
}

void croost_clock_forget(struct croost_clock_page *page, pid_t pid) {
    int from = 0;
    for (struct croost_clock_slot *slot; pid != 0 && (slot = next_slot(page, pid, &from)) != NULL;) {
        for (int clock = 0; clock < CROOST_CLOCK_COUNT; clock++) {
            __atomic_store_n(&slot->due[clock], CROOST_CLOCK_NEVER, __ATOMIC_RELEASE);
        }
        __atomic_store_n(&slot->pid, 0, __ATOMIC_RELEASE);
    }
}

// MARK: Waiting, in real time

static int64_t real_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static struct timespec left_until(int64_t deadline, int64_t longest) {
    int64_t left = deadline - real_nanoseconds();
    if (left > longest) left = longest;
    if (left < 0) left = 0;
    return (struct timespec){.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
}

// A process may die during the wait, so no sleep is longer than this before the next check whether it lives. In
// nanoseconds.
static const int64_t look_again = 20000000;

static int acknowledged(struct croost_clock_page *page, struct croost_clock_slot *slot, int64_t deadline) {
    for (;;) {
        uint32_t newest = __atomic_load_n(&page->generation, __ATOMIC_SEQ_CST);
        uint32_t seen = __atomic_load_n(&slot->acknowledged, __ATOMIC_ACQUIRE);
        int32_t owner = __atomic_load_n(&slot->pid, __ATOMIC_ACQUIRE);
        if (owner == 0) return ESRCH;
        if (seen == newest) return 0;
        if (croost_clock_is_living(owner) == ESRCH) return ESRCH;
        struct timespec wait = left_until(deadline, look_again);
        if (wait.tv_sec == 0 && wait.tv_nsec == 0) return ETIMEDOUT;
        syscall(SYS_futex, &slot->acknowledged, FUTEX_WAIT, seen, &wait, NULL, 0);
    }
}

// If one of several processes has ended, the wait continues.
static int wait_for(struct croost_clock_page *page, pid_t pid, int64_t deadline, int until_idle) {
    for (;;) {
        pid_t living[CROOST_CLOCK_SLOTS];
        int count = 0, from = 0, error;
        for (struct croost_clock_slot *slot; (slot = next_slot(page, pid, &from)) != NULL;) {
            int32_t owner = __atomic_load_n(&slot->pid, __ATOMIC_ACQUIRE);
            if ((error = acknowledged(page, slot, deadline)) == 0) living[count++] = owner;
            if (error == ESRCH) croost_clock_forget(page, owner);
            if (error != 0 && error != ESRCH) return error;
        }
        error = count == 0 ? ESRCH : until_idle ? croost_clock_all_asleep(living, count) : 0;
        if (error == ESRCH && pid == 0) error = 0;
        if (error != EBUSY) return error;
        struct timespec nap = left_until(deadline, 50000);
        if (nap.tv_sec == 0 && nap.tv_nsec == 0) return ETIMEDOUT;
        nanosleep(&nap, NULL);
    }
}

int croost_clock_wait_attached(struct croost_clock_page *page, pid_t pid, int milliseconds) {
    int64_t deadline = real_nanoseconds() + (int64_t)milliseconds * 1000000;
    for (;;) {
        uint32_t seen = __atomic_load_n(&page->attached, __ATOMIC_SEQ_CST);
        if (croost_clock_is_attached(page, pid)) return 0;
        if (croost_clock_is_living(pid) == ESRCH) return ESRCH;
        struct timespec wait = left_until(deadline, look_again);
        if (wait.tv_sec == 0 && wait.tv_nsec == 0) return ETIMEDOUT;
        syscall(SYS_futex, &page->attached, FUTEX_WAIT, seen, &wait, NULL, 0);
    }
}

int croost_clock_wait_acknowledged(struct croost_clock_page *page, pid_t pid, int milliseconds) {
    return wait_for(page, pid, real_nanoseconds() + (int64_t)milliseconds * 1000000, 0);
}

int croost_clock_wait_idle(struct croost_clock_page *page, pid_t pid, int milliseconds) {
    return wait_for(page, pid, real_nanoseconds() + (int64_t)milliseconds * 1000000, 1);
}

int croost_clock_advance(struct croost_clock_page *page, pid_t pid, uint64_t nanoseconds, int milliseconds) {
    int64_t deadline = real_nanoseconds() + (int64_t)milliseconds * 1000000;
    for (;;) {
        int error = wait_for(page, pid, deadline, 1);
        if (error != 0 || nanoseconds == 0) return error;
        uint64_t step = croost_clock_until_due(page, pid);
        if (step > nanoseconds) step = nanoseconds;
        croost_clock_move(page, step, step, (int64_t)step);
        nanoseconds -= step;
        if (real_nanoseconds() >= deadline) return ETIMEDOUT;
    }
}
