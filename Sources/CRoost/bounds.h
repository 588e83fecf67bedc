// What a child does to itself between its birth and execve. Only async-signal-safe calls, and system calls where the
// C library would speak to threads that the child does not have.
#ifndef CROOST_BOUNDS_H
#define CROOST_BOUNDS_H

#include "croost.h"

// Each gives 0 or the errno, and does nothing without bounds.
int croost_join_groups(const struct croost_bounds *bounds);
int croost_set_limits(const struct croost_bounds *bounds);

// What a process shares with others, and with that the calls that reach them.
enum croost_shared {
    CROOST_SHARED_USER = 1, // the uid, by which the kernel decides who may limit and slow whom
    CROOST_SHARED_IPC = 2,  // System V's memory, semaphores and queues
};

// Has the kernel refuse this process, and all it starts, the system calls that no app may make that shares so much.
int croost_refuse_calls_of_apps(int shared);

#endif
