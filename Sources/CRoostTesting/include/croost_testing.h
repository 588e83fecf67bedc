// What a test needs to start processes, and Swift does not see of the C library: its GNU part.
#ifndef CROOST_TESTING_H
#define CROOST_TESTING_H

#include <sys/types.h>

// Starts an executable as the leader of a process group of its own, in `directory`, with no descriptor but the three:
// standard input is empty, what it prints is appended to the file `output`. No signal is blocked or ignored.
// 0, or the errno of what failed; `pid` is set only with 0.
int croost_testing_spawn(const char *executable, char *const arguments[], char *const environment[],
                         const char *directory, const char *output, pid_t *pid);

// accept4, with CLOEXEC and NONBLOCK: the new descriptor, or -1 with errno.
int croost_testing_accept(int listener);

#endif
