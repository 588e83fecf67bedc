#include "croost.h"

#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

// The expiry is so far away that it is never reached, and still valid on every kernel. If the clock is set meanwhile,
// the kernel says ECANCELED and arms the timer nevertheless.
static int watch_on(int descriptor) {
    struct itimerspec far = {.it_value = {.tv_sec = (int64_t)1 << 33}};
    int result = timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &far, NULL);
    return result == 0 || errno == ECANCELED ? 0 : errno;
}

int croost_clock_watch(int *descriptor) {
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer < 0) return errno;
    int code = watch_on(timer);
    if (code != 0) {
        close(timer);
        return code;
    }
    *descriptor = timer;
    return 0;
}

int croost_clock_was_set(int descriptor) {
    uint64_t expirations = 0;
    if (read(descriptor, &expirations, sizeof expirations) >= 0 || errno != ECANCELED) return 0;
    watch_on(descriptor);
    return 1;
}
