// The yardstick for freezing: freezes and thaws a cgroup v2 with open descriptors and nothing else. Also the page that
// is shared with the frozen process.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

struct shared_page {
    /// Set by the victim when all its threads run.
    _Atomic int64_t ready;
    /// Set while the victim is frozen; reset by its first instruction afterwards.
    _Atomic int64_t ask;
    /// The time of that instruction, on CLOCK_MONOTONIC.
    _Atomic int64_t seen;
};

struct freeze_cgroup {
    int freeze, events;
};

/// CLOCK_MONOTONIC in nanoseconds.
int64_t freeze_now(void);

/// Opens a cgroup's control files. Returns 0 or an errno.
int freeze_open(const char *directory, struct freeze_cgroup *cgroup);

/// Requests a freeze without waiting for it. Returns 0 or an errno.
int freeze_begin(struct freeze_cgroup cgroup);

/// Waits until all processes of the cgroup are frozen: polls every 100 µs and at each notification.
/// Returns 0 or an errno.
int freeze_wait(struct freeze_cgroup cgroup);

/// Thaws the cgroup. Returns 0 or an errno.
int freeze_thaw(struct freeze_cgroup cgroup);

/// Makes a page to share: its descriptor, and its mapping. Returns 0 or an errno.
int freeze_share(int *descriptor, struct shared_page **page);

/// Asks the frozen victim for the time of its next instruction.
void freeze_ask(struct shared_page *page);

/// Waits for the victim's answer for at most a second. Returns the answer, or 0 if there is none.
int64_t freeze_answer(struct shared_page *page);

/// Waits until the victim's threads run, for at most five seconds. Returns 1 if they run, otherwise 0.
int freeze_ready(struct shared_page *page);
