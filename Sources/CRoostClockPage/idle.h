#ifndef CROOST_CLOCK_IDLE_H
#define CROOST_CLOCK_IDLE_H

#include <sys/types.h>

// 0 when all threads of a process sleep at one instant, EBUSY when not, ESRCH when it has ended.
__attribute__((visibility("hidden"))) int croost_clock_all_asleep(pid_t pid);

#endif
