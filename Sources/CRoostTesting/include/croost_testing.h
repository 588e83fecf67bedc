// What a test needs of Linux that Swift does not see: the GNU part of the C library, and whether processes are at rest.
#ifndef CROOST_TESTING_H
#define CROOST_TESTING_H

#include <stdint.h>
#include <sys/types.h>

// Starts an executable as the leader of a process group of its own, in `directory`, with no descriptor but the three:
// standard input is empty, what it prints is appended to the file `output`. No signal is blocked or ignored.
// 0, or the errno of what failed; `pid` is set only with 0.
int croost_testing_spawn(const char *executable, char *const arguments[], char *const environment[],
                         const char *directory, const char *output, pid_t *pid);

// accept4, with CLOEXEC and NONBLOCK: the new descriptor, or -1 with errno.
int croost_testing_accept(int listener);

// One look at all threads of some processes.
struct croost_testing_look {
    uint64_t digest;  // changes whenever one of them has run
    int threads;      // how many there are
    int busy;         // how many run, are about to, or wait for a disk
    int naps;         // how many sleep for a while of real time
};

// Looks at all threads of these processes alone, but the one that looks.
struct croost_testing_look croost_testing_look_at_each(const pid_t *pids, int count);

// Looks at all threads of this process, if it is among `pids`, but the one that looks; and for each other one, which has
// to be the leader of its group, at all threads of all processes of that group.
struct croost_testing_look croost_testing_look_at(const pid_t *pids, int count);

#endif
