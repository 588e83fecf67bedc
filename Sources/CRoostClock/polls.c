// Timed waits for descriptors. The real call waits without a limit, for one additional descriptor, with which the
// thread of `waits.c` ends it. Calls that do not wait, or wait forever, are passed on unchanged.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "inside.h"

static struct roost_wait wait_for(uint64_t nanoseconds) {
    uint64_t deadline = roost_sum(roost_now(CROOST_CLOCK_AWAKE), nanoseconds);
    return (struct roost_wait){.wake = ROOST_WAKE_DESCRIPTOR, .clock = CROOST_CLOCK_AWAKE, .deadline = deadline};
}

static uint64_t of_milliseconds(int milliseconds) { return (uint64_t)milliseconds * 1000000; }

// MARK: poll

static int poll_until(struct pollfd *files, nfds_t count, struct roost_wait wait, const sigset_t *signals) {
    struct pollfd few[16], *all = count < 16 ? few : malloc((count + 1) * sizeof *all);
    if (!all) return errno = ENOMEM, -1;
    memcpy(all, files, count * sizeof *files);
    roost_wait_begin(&wait);
    all[count] = (struct pollfd){.fd = wait.descriptor, .events = POLLIN};
    int ready = 0;
    while (ready == 0 && !roost_wait_is_over(&wait)) {
        // If no additional descriptor is available, nothing could end the wait.
        ready = wait.descriptor < 0 ? (errno = ENOMEM, -1) : REAL(ppoll)(all, count + 1, NULL, signals);
        if (ready > 0 && all[count].revents != 0) ready--;
    }
    // If the time was over at once, ready descriptors still count.
    if (ready == 0) ready = REAL(ppoll)(all, count, &(struct timespec){0}, signals);
    if (ready >= 0) {
        for (nfds_t index = 0; index < count; index++) files[index].revents = all[index].revents;
    }
    roost_wait_end(&wait);
    int error = errno;
    if (all != few) free(all);
    errno = error;
    return ready;
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
    if (timeout <= 0 || !roost_page()) return REAL(poll)(files, count, timeout);
    return poll_until(files, count, wait_for(of_milliseconds(timeout)), NULL);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
    if (!timeout || !roost_is_valid(timeout) || roost_nanoseconds(timeout) == 0 || !roost_page()) {
        return REAL(ppoll)(files, count, timeout, signals);
    }
    return poll_until(files, count, wait_for(roost_nanoseconds(timeout)), signals);
}

// Programs compiled with _FORTIFY_SOURCE call these functions instead.
int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t length) {
    if (length / sizeof *files < count) abort();
    return poll(files, count, timeout);
}

int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals,
                size_t length) {
    if (length / sizeof *files < count) abort();
    return ppoll(files, count, timeout, signals);
}

// MARK: epoll

static int epoll_until(int epoll, struct epoll_event *events, int most, struct roost_wait wait,
                       const sigset_t *signals) {
    roost_wait_begin(&wait);
    struct pollfd files[] = {{.fd = epoll, .events = POLLIN}, {.fd = wait.descriptor, .events = POLLIN}};
    int ready;
    while ((ready = REAL(epoll_wait)(epoll, events, most, 0)) == 0 && !roost_wait_is_over(&wait)) {
        int polled = wait.descriptor < 0 ? (errno = ENOMEM, -1) : REAL(ppoll)(files, 2, NULL, signals);
        if (polled < 0) {
            ready = -1;
            break;
        }
    }
    roost_wait_end(&wait);
    return ready;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
    if (timeout <= 0 || !roost_page()) return REAL(epoll_wait)(epoll, events, most, timeout);
    return epoll_until(epoll, events, most, wait_for(of_milliseconds(timeout)), NULL);
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *signals) {
    if (timeout <= 0 || !roost_page()) return REAL(epoll_pwait)(epoll, events, most, timeout, signals);
    return epoll_until(epoll, events, most, wait_for(of_milliseconds(timeout)), signals);
}

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *timeout,
                 const sigset_t *signals) {
    if (!timeout || !roost_is_valid(timeout) || roost_nanoseconds(timeout) == 0 || !roost_page()) {
        return REAL(epoll_pwait2)(epoll, events, most, timeout, signals);
    }
    return epoll_until(epoll, events, most, wait_for(roost_nanoseconds(timeout)), signals);
}

// MARK: select

static fd_set copy_of(const fd_set *set) {
    fd_set copy;
    FD_ZERO(&copy);
    return set ? *set : copy;
}

static int select_until(int count, fd_set *reads, fd_set *writes, fd_set *errors, struct roost_wait wait,
                        const sigset_t *signals) {
    roost_wait_begin(&wait);
    fd_set readable, writable, failed;
    int ready = 0;
    bool is_out_of_reach = wait.descriptor < 0 || wait.descriptor >= FD_SETSIZE;
    while (ready == 0) {
        readable = copy_of(reads), writable = copy_of(writes), failed = copy_of(errors);
        if (roost_wait_is_over(&wait)) {
            ready = REAL(pselect)(count, &readable, &writable, &failed, &(struct timespec){0}, signals);
            break;
        }
        if (is_out_of_reach) {
            errno = ENOMEM;
            ready = -1;
            break;
        }
        FD_SET(wait.descriptor, &readable);
        int all = wait.descriptor >= count ? wait.descriptor + 1 : count;
        ready = REAL(pselect)(all, &readable, &writable, &failed, NULL, signals);
        if (ready > 0 && FD_ISSET(wait.descriptor, &readable)) ready--;
        FD_CLR(wait.descriptor, &readable);
    }
    if (ready >= 0) {
        if (reads) *reads = readable;
        if (writes) *writes = writable;
        if (errors) *errors = failed;
    }
    roost_wait_end(&wait);
    return ready;
}

int select(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
           struct timeval *restrict timeout) {
    if (!timeout || timeout->tv_sec < 0 || (timeout->tv_sec == 0 && timeout->tv_usec <= 0) || !roost_page()) {
        return REAL(select)(count, reads, writes, errors, timeout);
    }
    struct timespec asked = {.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000};
    struct roost_wait wait = wait_for(roost_nanoseconds(&asked));
    int ready = select_until(count, reads, writes, errors, wait, NULL);
    // Linux's select writes the remaining time.
    uint64_t now = roost_now(CROOST_CLOCK_AWAKE);
    struct timespec left = roost_timespec(wait.deadline > now ? wait.deadline - now : 0);
    *timeout = (struct timeval){.tv_sec = left.tv_sec, .tv_usec = left.tv_nsec / 1000};
    return ready;
}

int pselect(int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict errors,
            const struct timespec *restrict timeout, const sigset_t *restrict signals) {
    if (!timeout || !roost_is_valid(timeout) || roost_nanoseconds(timeout) == 0 || !roost_page()) {
        return REAL(pselect)(count, reads, writes, errors, timeout, signals);
    }
    return select_until(count, reads, writes, errors, wait_for(roost_nanoseconds(timeout)), signals);
}
