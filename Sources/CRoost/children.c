#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int croost_spawn(const char *program, char *const *arguments, char *const *environment, int passed, int *pid)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int error = posix_spawnattr_init(&attributes);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        // Use a copy: a descriptor duplicated onto its own number would stay close-on-exec.
        int copy = passed < 0 ? -1 : fcntl(passed, F_DUPFD_CLOEXEC, 10);
        if (passed >= 0 && copy < 0)
            error = errno;
        if (error == 0)
            error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
        if (error == 0 && copy >= 0)
            error = posix_spawn_file_actions_adddup2(&actions, copy, 3);
        if (error == 0)
            error = posix_spawn(pid, program, &actions, &attributes, arguments, environment != NULL ? environment : environ);
        if (copy >= 0)
            close(copy);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

int croost_next_ended(int *pid)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int result;
    do {
        result = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
    } while (result != 0 && errno == EINTR);
    if (result != 0)
        return errno;
    if (info.si_pid == 0)
        return EAGAIN;
    *pid = info.si_pid;
    return 0;
}

int croost_reap(int pid, struct croost_exit *exit)
{
    int status;
    pid_t result;
    do {
        result = waitpid(pid, &status, WNOHANG);
    } while (result < 0 && errno == EINTR);
    if (result < 0)
        return errno;
    if (result == 0)
        return EAGAIN;
    *exit = croost_exit_from_status(status);
    return 0;
}

int croost_stop_news(int pid)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WCONTINUED | WNOHANG) != 0 || info.si_pid != pid)
        return 0;
    return info.si_code == CLD_CONTINUED ? -1 : 1;
}
