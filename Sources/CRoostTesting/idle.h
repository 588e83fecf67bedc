#ifndef CROOST_CLOCK_IDLE_H
#define CROOST_CLOCK_IDLE_H

#include <sys/types.h>

#pragma GCC visibility push(hidden)

// 0 when all threads of these processes sleep at one instant, EBUSY when not, ESRCH when all of them have ended.
int croost_clock_all_asleep(const pid_t *pids, int count);

// 0, or ESRCH for a process that has ended, whether or not it has been reaped.
int croost_clock_is_living(pid_t pid);

#pragma GCC visibility pop

#endif
