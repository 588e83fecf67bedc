#ifndef CROOST_CLOCK_IDLE_H
#define CROOST_CLOCK_IDLE_H

#include <sys/types.h>

#pragma GCC visibility push(hidden)

// 0 if all threads of these processes sleep at one instant, EBUSY if not, ESRCH if all the processes have ended.
int croost_clock_all_asleep(const pid_t *pids, int count);

// 0 if the process lives, ESRCH if it has ended, whether or not it was reaped.
int croost_clock_is_living(pid_t pid);

#pragma GCC visibility pop

#endif
