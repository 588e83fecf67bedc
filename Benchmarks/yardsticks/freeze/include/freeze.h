// The yardstick of freezing: a cgroup v2 frozen and thawed with open descriptors and nothing besides; and the page
// that is shared with what is frozen.
#pragma once
#include <stdatomic.h>
#include <stdint.h>

struct shared_page {
    /// Set by the victim when all its threads run.
    _Atomic int64_t ready;
    /// Set while the victim stands still; reset by its first instruction afterwards.
    _Atomic int64_t ask;
    /// When that was, on CLOCK_MONOTONIC.
    _Atomic int64_t seen;
};

struct freeze_cgroup {
    int freeze, events;
};

/// CLOCK_MONOTONIC in nanoseconds.
int64_t freeze_now(void);

/// Opens a cgroup's knobs. 0, or an errno.
int freeze_open(const char *directory, struct freeze_cgroup *cgroup);

/// Asks for it, and no more. 0, or an errno.
int freeze_begin(struct freeze_cgroup cgroup);

/// Waits until everything in it stands still, by looking every 100 µs and at each notification. 0, or an errno.
int freeze_wait(struct freeze_cgroup cgroup);

/// Lets it run. 0, or an errno.
int freeze_thaw(struct freeze_cgroup cgroup);

/// Makes a page to share: its descriptor, and where it is mapped. 0, or an errno.
int freeze_share(int *descriptor, struct shared_page **page);

/// Asks the victim, who stands still, for the time of its next instruction.
void freeze_ask(struct shared_page *page);

/// Waits for the victim's answer, for at most a second, and gives it; 0 where none came.
int64_t freeze_answer(struct shared_page *page);

/// Waits until the victim's threads run, for at most five seconds. 0 where they do not, else 1.
int freeze_ready(struct shared_page *page);
