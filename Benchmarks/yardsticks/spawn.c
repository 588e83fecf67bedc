// `spawn PROGRAM ARGUMENT...`: starts a program with clone3, and waits for it. It does nothing else, so the program
// measures the bare cost of a start.
#define _GNU_SOURCE
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 2) return 64;
    struct clone_args how = {.exit_signal = SIGCHLD};
    pid_t pid = (pid_t)syscall(SYS_clone3, &how, sizeof how);
    if (pid == 0) {
        execv(arguments[1], arguments + 1);
        _exit(127);
    }
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror(arguments[1]);
        return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
