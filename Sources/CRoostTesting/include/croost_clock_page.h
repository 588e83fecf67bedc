// The page of memory with which a test controls the time of the processes that it started, and the test's side of it.
//
// A test creates the page as a file and starts an app with `ROOST_CLOCK=<the file>` and `LD_PRELOAD=libCRoostClock.so`.
// From then on the page determines the app's time, which moves only when the test moves it. One page serves all
// processes of a test: each takes a slot in it. docs/virtual-clock.md lists the clocks that move.
#ifndef CROOST_CLOCK_PAGE_H
#define CROOST_CLOCK_PAGE_H

#include <stdint.h>
#include <sys/types.h>

// The environment variable with the path of the page's file, and the constants of the page's format.
#define CROOST_CLOCK_VARIABLE "ROOST_CLOCK"
#define CROOST_CLOCK_MAGIC 0x6b636f6c63747372ull
#define CROOST_CLOCK_VERSION 1u
#define CROOST_CLOCK_SLOTS 64
#define CROOST_CLOCK_NEVER UINT64_MAX

// A device's three readings of time, as array indices.
enum croost_clock {
    CROOST_CLOCK_AWAKE = 0,    // CLOCK_MONOTONIC: does not advance while the device sleeps
    CROOST_CLOCK_ELAPSED = 1,  // CLOCK_BOOTTIME
    CROOST_CLOCK_WALL = 2,     // CLOCK_REALTIME
    CROOST_CLOCK_COUNT = 3,
};

// The state of one process. Only the process writes here, except that the test frees the slot of an ended process.
struct croost_clock_slot {
    int32_t pid;                        // 0: free
    uint32_t acknowledged;              // the newest generation whose due timers it has fired
    uint64_t due[CROOST_CLOCK_COUNT];   // its next deadline on each clock (a timer or timed wait), or NEVER
};

// Times are in nanoseconds. All fields except the first three are accessed as atomics, in this order. The test writes
// `now`, increments `generation`, and wakes the threads that wait on `generation` (a futex). A process fires its due
// timers, writes `due`, then `acknowledged`, and wakes the threads that wait on `acknowledged`.
struct croost_clock_page {
    uint64_t magic;
    uint32_t version;
    uint32_t slot_count;
    uint64_t now[CROOST_CLOCK_COUNT];
    uint32_t generation;
    uint32_t attached;  // the number of slots taken so far; also a futex
    struct croost_clock_slot slots[CROOST_CLOCK_SLOTS];
};

// MARK: The test's side
// Unless its comment says otherwise, each function returns 0, or the errno of its failure. A `pid` of 0 means every
// process with a slot. `milliseconds` limits the call in real time; after that it returns ETIMEDOUT.

// Creates the file, which must not exist yet, with these times.
int croost_clock_create(const char *path, uint64_t awake, uint64_t elapsed, uint64_t wall,
                        struct croost_clock_page **page);

// Unmaps the page. The caller must delete the file.
void croost_clock_close(struct croost_clock_page *page);

// Returns the reading of a clock.
uint64_t croost_clock_now(const struct croost_clock_page *page, enum croost_clock clock);

// Moves the clocks by these nanoseconds in one step. Timers due on the way all fire at the new time, as after a sleep
// of the device. The wall clock may also be set back. Does not wait for any process.
void croost_clock_move(struct croost_clock_page *page, uint64_t awake, uint64_t elapsed, int64_t wall);

// Returns 1 if the process has a slot, otherwise 0. A process with a slot has preloaded the library, and its timers
// count.
int croost_clock_is_attached(const struct croost_clock_page *page, pid_t pid);

// Waits until the process has a slot, for at most these milliseconds. ESRCH if the process has ended without a slot.
int croost_clock_wait_attached(struct croost_clock_page *page, pid_t pid, int milliseconds);

// Returns the time until the next timer or timed wait ends if all clocks move alike, or NEVER. The timer may be unused
// by now; a step to its time then changes nothing.
uint64_t croost_clock_until_due(const struct croost_clock_page *page, pid_t pid);

// Waits until the last move was seen and the due timers have fired. ESRCH if the process does not exist.
int croost_clock_wait_acknowledged(struct croost_clock_page *page, pid_t pid, int milliseconds);

// Waits until the last move was seen and all threads are idle: all threads sleep in the kernel at one instant. This
// function does not know whether the threads wait for something external, such as a reply over a socket.
int croost_clock_wait_idle(struct croost_clock_page *page, pid_t pid, int milliseconds);

// Moves all clocks by this time. The move stops at every timer on the way until the process is idle again, so events
// happen in order and on time. Do not use this function for a frozen process, which could not follow.
int croost_clock_advance(struct croost_clock_page *page, pid_t pid, uint64_t nanoseconds, int milliseconds);

// Frees the slot of a process that has ended, and drops its deadlines. Waiting for processes after a move also frees
// the slot of each process that has ended.
void croost_clock_forget(struct croost_clock_page *page, pid_t pid);

#endif
