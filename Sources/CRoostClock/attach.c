// Finds and maps the page, takes a slot in it, and reads time from it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inside.h"

static struct croost_clock_page *attach(void) {
    const char *path = getenv(CROOST_CLOCK_VARIABLE);
    if (!path || !*path) return NULL;
    int kept = errno, file = open(path, O_RDWR | O_CLOEXEC);
    struct croost_clock_page *page = MAP_FAILED;
    struct stat status;
    if (file >= 0) {
        // Access beyond the end of a shorter file would end the process with SIGBUS.
        if (fstat(file, &status) == 0 && status.st_size >= (off_t)sizeof *page) {
            page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        }
        close(file);
    }
    errno = kept;
    if (page == MAP_FAILED) return NULL;
    if (__atomic_load_n(&page->magic, __ATOMIC_ACQUIRE) == CROOST_CLOCK_MAGIC &&
        page->version == CROOST_CLOCK_VERSION && page->slot_count == CROOST_CLOCK_SLOTS) {
        return page;
    }
    munmap(page, sizeof *page);
    return NULL;
}

struct croost_clock_page *roost_page(void) {
    // Libraries that are initialized earlier already ask for the time, so the first caller attaches. If two threads map
    // the page at once, the second mapping is removed.
    static struct croost_clock_page *page;
    static int tried;
    if (!__atomic_load_n(&tried, __ATOMIC_ACQUIRE)) {
        struct croost_clock_page *found = attach(), *none = NULL;
        if (found && !__atomic_compare_exchange_n(&page, &none, found, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            munmap(found, sizeof *found);
        }
        __atomic_store_n(&tried, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&page, __ATOMIC_ACQUIRE);
}

// MARK: The slot

static struct croost_clock_slot *own_slot;

struct croost_clock_slot *roost_slot(void) {
    struct croost_clock_slot *slot = own_slot;
    // After a fork the slot is still the parent's.
    return slot && __atomic_load_n(&slot->pid, __ATOMIC_ACQUIRE) == getpid() ? slot : NULL;
}

void roost_take_slot(void) {
    struct croost_clock_page *page = roost_page();
    int32_t self = getpid();
    // A program started by exec continues with the slot of the program that it replaced.
    for (int index = 0; index < CROOST_CLOCK_SLOTS; index++) {
        if (__atomic_load_n(&page->slots[index].pid, __ATOMIC_ACQUIRE) == self) {
            own_slot = &page->slots[index];
            return;
        }
    }
    for (int index = 0; index < CROOST_CLOCK_SLOTS; index++) {
        int32_t none = 0;
        if (__atomic_compare_exchange_n(&page->slots[index].pid, &none, self, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE)) {
            own_slot = &page->slots[index];
            __atomic_fetch_add(&page->attached, 1, __ATOMIC_SEQ_CST);
            roost_futex(&page->attached, FUTEX_WAKE, INT_MAX, NULL);
            return;
        }
    }
}

__attribute__((constructor)) static void begin(void) {
    if (roost_page()) roost_thread_start();
}

// An exiting process has no further deadlines. The process keeps its slot: it is not idle until it is gone, and a
// parent may be about to receive its end. The test's side frees the slots of ended processes.
__attribute__((destructor)) static void end(void) {
    struct croost_clock_slot *slot = roost_slot();
    for (int clock = 0; slot && clock < CROOST_CLOCK_COUNT; clock++) {
        __atomic_store_n(&slot->due[clock], CROOST_CLOCK_NEVER, __ATOMIC_RELEASE);
    }
}

// MARK: Time

bool roost_is_virtual(clockid_t id, enum croost_clock *clock) {
    switch (id) {
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_MONOTONIC_RAW:
            *clock = CROOST_CLOCK_AWAKE;
            return true;
        case CLOCK_BOOTTIME:
        case CLOCK_BOOTTIME_ALARM:
            *clock = CROOST_CLOCK_ELAPSED;
            return true;
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_REALTIME_ALARM:
        case CLOCK_TAI:
            *clock = CROOST_CLOCK_WALL;
            return true;
        default:
            return false;
    }
}

uint64_t roost_now(enum croost_clock clock) { return __atomic_load_n(&roost_page()->now[clock], __ATOMIC_ACQUIRE); }

uint64_t roost_sum(uint64_t first, uint64_t second) {
    uint64_t sum;
    return __builtin_add_overflow(first, second, &sum) ? CROOST_CLOCK_NEVER : sum;
}

uint64_t roost_nanoseconds(const struct timespec *time) {
    uint64_t seconds;
    if (time->tv_sec < 0) return 0;
    if (__builtin_mul_overflow((uint64_t)time->tv_sec, UINT64_C(1000000000), &seconds)) return CROOST_CLOCK_NEVER;
    return roost_sum(seconds, (uint64_t)time->tv_nsec);
}

struct timespec roost_timespec(uint64_t nanoseconds) {
    return (struct timespec){.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
}

bool roost_is_valid(const struct timespec *time) { return time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }

long roost_futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout) {
    return REAL(syscall)(SYS_futex, word, operation, value, timeout, NULL, 0);
}
