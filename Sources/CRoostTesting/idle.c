// Whether processes are idle, determined from two looks at all their threads.
#include "idle.h"

#include <errno.h>

#include "croost_testing.h"

int croost_clock_all_asleep(const pid_t *pids, int count) {
    struct croost_testing_look first = croost_testing_look_at_each(pids, count);
    if (first.threads == 0) return ESRCH;
    if (first.busy > 0 || first.naps > 0) return EBUSY;
    struct croost_testing_look again = croost_testing_look_at_each(pids, count);
    return again.busy > 0 || again.digest != first.digest ? EBUSY : 0;
}

int croost_clock_is_living(pid_t pid) { return croost_testing_look_at_each(&pid, 1).threads > 0 ? 0 : ESRCH; }
