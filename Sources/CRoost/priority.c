#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// <linux/ioprio.h> is not always installed. Newer kernels store hints above the three level bits.
#define IO_CLASS_SHIFT 13
#define IO_LEVEL_MASK 7
#define IO_BEST_EFFORT 2
#define IO_WHO_PROCESS 1

int croost_set_nice(int thread, int nice) { return setpriority(PRIO_PROCESS, (id_t)thread, nice) == 0 ? 0 : errno; }

int croost_get_nice(int thread, int *nice)
{
    errno = 0;
    *nice = getpriority(PRIO_PROCESS, (id_t)thread);
    return errno;
}

int croost_set_batch(int thread, int is_batch)
{
    struct sched_param parameters = { 0 };
    return sched_setscheduler(thread, is_batch ? SCHED_BATCH : SCHED_OTHER, &parameters) == 0 ? 0 : errno;
}

int croost_is_batch(int thread) { return sched_getscheduler(thread) == SCHED_BATCH; }

int croost_set_io_level(int thread, int level)
{
    int priority = level < 0 ? 0 : IO_BEST_EFFORT << IO_CLASS_SHIFT | level;
    return syscall(SYS_ioprio_set, IO_WHO_PROCESS, thread, priority) == 0 ? 0 : errno;
}

int croost_get_io_level(int thread, int *level)
{
    long priority = syscall(SYS_ioprio_get, IO_WHO_PROCESS, thread);
    if (priority < 0)
        return errno;
    switch (priority >> IO_CLASS_SHIFT) {
    case IO_BEST_EFFORT:
        *level = (int)priority & IO_LEVEL_MASK;
        return 0;
    case 0: {
        // In this class, the kernel derives the level from niceness by this formula.
        int nice;
        int code = croost_get_nice(thread, &nice);
        *level = (nice + 20) / 5;
        return code;
    }
    default:
        return ENODATA;
    }
}
