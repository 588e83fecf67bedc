#define _GNU_SOURCE
#include "croost_testing.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

int croost_testing_spawn(const char *executable, char *const arguments[], char *const environment[],
                         const char *directory, const char *output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) goto no_attributes;

    // Any failed action fails the whole call.
    int result[] = {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0600),
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO),
        posix_spawn_file_actions_addchdir_np(&actions, directory),
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1),
        posix_spawnattr_setpgroup(&attributes, 0),
    };
    for (unsigned index = 0; error == 0 && index < sizeof result / sizeof *result; index++) error = result[index];

    // The app must not inherit the test process's blocked and ignored signals.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    if (error == 0) error = posix_spawn(pid, executable, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
no_attributes:
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int croost_testing_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
