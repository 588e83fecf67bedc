// Linux functions that tests need and Swift does not import: epoll, GNU parts of the C library, and a check for idle
// processes.
#ifndef CROOST_TESTING_H
#define CROOST_TESTING_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

// Starts an executable in `directory` as the leader of its own process group. Only descriptors 0 to 2 are open:
// standard input is empty, and its output is appended to the file `output`. No signal is blocked or ignored. Returns 0,
// or the errno of the failure; `pid` is set only on success.
int croost_testing_spawn(const char *executable, char *const arguments[], char *const environment[],
                         const char *directory, const char *output, pid_t *pid);

// accept4 with CLOEXEC and NONBLOCK. Returns the new descriptor, or -1 with errno.
int croost_testing_accept(int listener);

// The result of one look at all threads of some processes.
struct croost_testing_look {
    uint64_t digest;  // changes whenever a thread has run
    int threads;      // the number of threads
    int busy;         // the number that run, are about to run, or wait for a disk
    int naps;         // the number in a sleep of real time
};

// Looks at all threads of exactly these processes, except the calling thread.
struct croost_testing_look croost_testing_look_at_each(const pid_t *pids, int count);

// Looks at all threads of this process, except the calling thread, if `pids` contains it. Every other process must be
// the leader of its group: looks at all threads of all processes in that group.
struct croost_testing_look croost_testing_look_at(const pid_t *pids, int count);

#endif
