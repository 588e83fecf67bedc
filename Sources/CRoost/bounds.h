// Restrictions that a child applies to itself between clone and execve. The functions are async-signal-safe. They use
// system calls directly if the C library would notify threads that the child does not have.
#ifndef CROOST_BOUNDS_H
#define CROOST_BOUNDS_H

#include "croost.h"

// Both return 0 or an errno, and do nothing if `bounds` is NULL.
int croost_join_groups(const struct croost_bounds *bounds);
int croost_set_limits(const struct croost_bounds *bounds);

// The objects that a process shares with other apps; the calls that reach them are refused.
enum croost_shared {
    CROOST_SHARED_USER = 1, // the uid: the kernel lets its processes limit and slow down each other
    CROOST_SHARED_IPC = 2,  // System V's memory, semaphores and queues
};

// Makes the kernel refuse the system calls that no app may make, and the system calls that reach the `shared` objects.
// Applies to this process and its children.
int croost_refuse_calls_of_apps(int shared);

#endif
