// The page of memory through which a test moves the time of the processes it started, and the test's side of it.
//
// A test makes the page as a file, starts an app with `ROOST_CLOCK=<the file>` and `LD_PRELOAD=libCRoostClock.so`,
// and from then on time is, for that app, what the page says: it stands still until the test moves it.
// One page serves all processes of a test: each takes a slot in it. docs/virtual-clock.md tells what moves.
#ifndef CROOST_CLOCK_PAGE_H
#define CROOST_CLOCK_PAGE_H

#include <stdint.h>
#include <sys/types.h>

// The variable that names the page's file, and what every page begins with.
#define CROOST_CLOCK_VARIABLE "ROOST_CLOCK"
#define CROOST_CLOCK_MAGIC 0x6b636f6c63747372ull
#define CROOST_CLOCK_VERSION 1u
#define CROOST_CLOCK_SLOTS 64
#define CROOST_CLOCK_NEVER UINT64_MAX

// The three readings a device has, as indices into what follows.
enum croost_clock {
    CROOST_CLOCK_AWAKE = 0,    // CLOCK_MONOTONIC: stands still while the device sleeps
    CROOST_CLOCK_ELAPSED = 1,  // CLOCK_BOOTTIME
    CROOST_CLOCK_WALL = 2,     // CLOCK_REALTIME
    CROOST_CLOCK_COUNT = 3,
};

// What one process says of itself. Only the process writes here, except that the test frees the slot of a dead one.
struct croost_clock_slot {
    int32_t pid;                        // 0: free
    uint32_t acknowledged;              // the newest generation whose due timers it has set off
    uint64_t due[CROOST_CLOCK_COUNT];   // when its next timer or timed wait ends, on each clock, or NEVER
};

// Times are nanoseconds. Everything but the first three fields is read and written as atomics, in this order: the
// test writes `now`, then adds one to `generation` and wakes who waits on it (a futex); a process sets off what is
// due, writes `due`, then `acknowledged`, and wakes who waits on that.
struct croost_clock_page {
    uint64_t magic;
    uint32_t version;
    uint32_t slot_count;
    uint64_t now[CROOST_CLOCK_COUNT];
    uint32_t generation;
    uint32_t attached;  // how many slots have been taken so far; a futex too
    struct croost_clock_slot slots[CROOST_CLOCK_SLOTS];
};

// MARK: The test's side
// Each function gives 0, or the errno it failed with, unless its comment says otherwise. A `pid` of 0 means every
// process that has a slot. `milliseconds` are real ones, and the longest the call takes; ETIMEDOUT when they are over.

// Makes the file, which must not exist, with these times.
int croost_clock_create(const char *path, uint64_t awake, uint64_t elapsed, uint64_t wall,
                        struct croost_clock_page **page);

// Unmaps the page. The file is the caller's to remove.
void croost_clock_close(struct croost_clock_page *page);

// What a clock says. The value is the result.
uint64_t croost_clock_now(const struct croost_clock_page *page, enum croost_clock clock);

// Moves the clocks on by these nanoseconds, at once: timers due on the way all fire at the new time, as after a sleep
// of the device. The wall clock may also be set back. Does not wait for anybody.
void croost_clock_move(struct croost_clock_page *page, uint64_t awake, uint64_t elapsed, int64_t wall);

// Whether the process has a slot: it was preloaded, and from now on its timers are seen. 1 or 0 is the result.
int croost_clock_is_attached(const struct croost_clock_page *page, pid_t pid);

// Waits until it has, for at most these milliseconds. ESRCH when the process has ended without.
int croost_clock_wait_attached(struct croost_clock_page *page, pid_t pid, int milliseconds);

// How long until the next timer or timed wait ends if all clocks move alike, or NEVER. The value is the result.
// It may be the time of a timer nobody listens to any more; stepping there then changes nothing.
uint64_t croost_clock_until_due(const struct croost_clock_page *page, pid_t pid);

// Waits until the newest move has been seen and what was due has been set off. ESRCH without such a process.
int croost_clock_wait_acknowledged(struct croost_clock_page *page, pid_t pid, int milliseconds);

// Waits until the newest move has been seen and no thread has anything left to do: all sleep in the kernel, at one
// instant. What they wait for from outside, such as a reply over a socket, this cannot know.
int croost_clock_wait_idle(struct croost_clock_page *page, pid_t pid, int milliseconds);

// Moves all clocks by this much, stopping at every timer on the way until the process is idle again, so that
// everything happens in its order and at its time. Not for a process that is frozen: it could not go along.
int croost_clock_advance(struct croost_clock_page *page, pid_t pid, uint64_t nanoseconds, int milliseconds);

// Frees the slot of a process that has ended, so that nothing is due for it any more. Waiting for the processes after
// a move does the same for each it finds gone.
void croost_clock_forget(struct croost_clock_page *page, pid_t pid);

#endif
