// What a child does to itself between its birth and execve. Only async-signal-safe calls, and system calls where the
// C library would speak to threads that the child does not have.
#ifndef CROOST_BOUNDS_H
#define CROOST_BOUNDS_H

#include "croost.h"

// Each gives 0 or the errno, and does nothing without bounds.
int croost_join_groups(const struct croost_bounds *bounds);
int croost_set_limits(const struct croost_bounds *bounds);

// Has the kernel refuse this process, and all it starts, the system calls that no app may make.
int croost_refuse_calls_of_apps(void);

#endif
