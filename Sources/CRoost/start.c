#define _GNU_SOURCE
#include "bounds.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// <linux/sched.h> has these, but conflicts with <sched.h>.
#define FLAG_PIDFD UINT64_C(0x1000)
#define FLAG_PARENT UINT64_C(0x8000)
#define FLAG_INTO_CGROUP UINT64_C(0x200000000)
#define CLOSE_ON_EXEC (1u << 2)
struct clone_arguments {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
};

// The message from a child that could not start to its parent.
struct report {
    int step;
    int error;
};

static void reap(int pidfd)
{
    siginfo_t info;
    int result;
    do {
        result = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED);
    } while (result != 0 && errno == EINTR);
    // waitid fails for a sibling, which our parent reaps. Wait until it has ended.
    if (result != 0)
        croost_wait_for(pidfd, POLLIN, INT64_C(1000000000));
}

// Like fork, but with a pidfd, directly in the cgroup, and as our parent's child if `sibling` is set.
//
// Containers often forbid clone3 (ENOSYS or EPERM). The child is then forked and has to enter the cgroup by itself:
// `*must_enter`.
static pid_t bear(int cgroup, int sibling, int *pidfd, int *must_enter)
{
    struct clone_arguments arguments;
    memset(&arguments, 0, sizeof arguments);
    arguments.flags = FLAG_PIDFD | (cgroup >= 0 ? FLAG_INTO_CGROUP : 0) | (sibling ? FLAG_PARENT : 0);
    arguments.pidfd = (uint64_t)(uintptr_t)pidfd;
    // A sibling has our own exit signal, and clone3 rejects any other value.
    arguments.exit_signal = sibling ? 0 : SIGCHLD;
    arguments.cgroup = cgroup >= 0 ? (uint64_t)cgroup : 0;
    *must_enter = 0;
    pid_t pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid >= 0 || (errno != ENOSYS && errno != EPERM && errno != E2BIG))
        return pid;
    *must_enter = cgroup >= 0;
    // The first three arguments of clone are the same on all architectures. Without a stack, clone acts as a fork.
    if (sibling)
        return (pid_t)syscall(SYS_clone, FLAG_PARENT | FLAG_PIDFD | SIGCHLD, NULL, pidfd, NULL, NULL);
    pid = fork();
    if (pid > 0) {
        // Only we reap our children, so this pid is still the child's.
        int error = croost_pidfd_open(pid, pidfd);
        if (error != 0) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            errno = error;
            return -1;
        }
    }
    return pid;
}

// From here to execve, only async-signal-safe calls are allowed: another thread of the parent may have held any lock.

static int enter(int cgroup)
{
    int procs = openat(cgroup, "cgroup.procs", O_WRONLY | O_CLOEXEC);
    if (procs < 0)
        return errno;
    int error = write(procs, "0", 1) == 1 ? 0 : errno;
    close(procs);
    return error;
}

// Uses system calls, because the C library's functions skip the two signals that it uses itself. A program may be
// started with these signals ignored. All zeros are the default action and the empty mask.
static void reset_signals(void)
{
    static const unsigned long zeros[16];
    const size_t mask_size = 8;
    for (int number = 1; number <= 64; number++)
        syscall(SYS_rt_sigaction, number, zeros, NULL, mask_size);  // fails for KILL and STOP, as expected
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, zeros, NULL, mask_size);
}

// Sets up descriptors 0, 1, 2 and perhaps 3. First moves the sources away from these numbers, because the parent may
// itself run without standard descriptors.
static int arrange_descriptors(const struct croost_launch *launch)
{
    int log = fcntl(launch->log, F_DUPFD_CLOEXEC, 10);
    int passed = launch->passed < 0 ? -1 : fcntl(launch->passed, F_DUPFD_CLOEXEC, 10);
    if (log < 0 || (launch->passed >= 0 && passed < 0))
        return errno;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0)
        return errno;
    if (nothing == 0) {
        if (fcntl(0, F_SETFD, 0) != 0)
            return errno;
    } else if (dup2(nothing, 0) < 0) {
        return errno;
    }
    if (dup2(log, 1) < 0 || dup2(log, 2) < 0)
        return errno;
    if (passed >= 0 && dup2(passed, 3) < 0)
        return errno;
    unsigned first = passed >= 0 ? 4 : 3;
    return syscall(SYS_close_range, first, ~0u, CLOSE_ON_EXEC) == 0 ? 0 : errno;
}

// The hard limit stays, so an app can raise its soft limit as it could without Roost.
static int limit_open_files(uint64_t soft)
{
    struct rlimit limit;
    if (soft == 0)
        return 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return errno;
    limit.rlim_cur = soft;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? 0 : errno;
}

static _Noreturn void fail(int pipe, enum croost_step step, int error)
{
    struct report report = { step, error };
    ssize_t ignored = write(pipe, &report, sizeof report);
    (void)ignored;
    _exit(127);
}

static _Noreturn void become(const struct croost_launch *launch, int pipe, int must_enter)
{
    int error;
    // Stay clear of 0 to 3, which arrange_descriptors sets.
    int report = fcntl(pipe, F_DUPFD_CLOEXEC, 10);
    if (report < 0)
        fail(pipe, CROOST_STEP_DESCRIPTORS, errno);
    if (must_enter && (error = enter(launch->cgroup)) != 0)
        fail(report, CROOST_STEP_CGROUP, error);
    if ((error = croost_join_groups(launch->bounds)) != 0)
        fail(report, CROOST_STEP_GROUPS, error);
    if (setsid() < 0)
        fail(report, CROOST_STEP_SESSION, errno);
    reset_signals();
    if ((error = arrange_descriptors(launch)) != 0)
        fail(report, CROOST_STEP_DESCRIPTORS, error);
    // Last: until here, descriptor numbers above the limit may have been needed.
    if ((error = limit_open_files(launch->open_files)) != 0)
        fail(report, CROOST_STEP_DESCRIPTORS, error);
    if ((error = croost_set_limits(launch->bounds)) != 0)
        fail(report, CROOST_STEP_LIMITS, error);
    enum croost_step step = CROOST_STEP_NONE;
    if ((error = croost_confine(launch->bounds, &step)) != 0)
        fail(report, step, error);
    // With the app's own rights, so that a directory it may not enter causes an error here.
    if (chdir(launch->directory) != 0)
        fail(report, CROOST_STEP_DIRECTORY, errno);
    execve(launch->executable, launch->arguments, launch->environment);
    fail(report, CROOST_STEP_EXECUTE, errno);
}

int croost_start(const struct croost_launch *launch, struct croost_started *started, enum croost_step *failed)
{
    int pipes[2];
    *failed = CROOST_STEP_NONE;
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        *failed = CROOST_STEP_PREPARE;
        return errno;
    }
    // With all signals blocked, no handler of ours can run in the child before its dispositions are reset.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int pidfd = -1, must_enter = 0;
    pid_t pid = bear(launch->cgroup, launch->sibling, &pidfd, &must_enter);
    int error = errno;
    if (pid == 0)
        become(launch, pipes[1], must_enter);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(pipes[1]);
    if (pid < 0) {
        close(pipes[0]);
        *failed = CROOST_STEP_CLONE;
        return error;
    }

    // The pipe closes at execve. We must not wait forever for a child that does not get there, for example because its
    // parent cgroup is frozen.
    struct report report = { CROOST_STEP_NONE, 0 };
    error = croost_wait_for(pipes[0], POLLIN, INT64_C(5000000000));
    if (error != 0) {
        croost_pidfd_send_signal(pidfd, SIGKILL);
        report = (struct report){ CROOST_STEP_TIMEOUT, error };
    } else {
        ssize_t count;
        do {
            count = read(pipes[0], &report, sizeof report);
        } while (count < 0 && errno == EINTR);
        if (count != sizeof report)
            report = (struct report){ CROOST_STEP_NONE, 0 };
    }
    close(pipes[0]);
    if (report.step != CROOST_STEP_NONE) {
        reap(pidfd);
        close(pidfd);
        *failed = (enum croost_step)report.step;
        return report.error;
    }
    started->pid = pid;
    started->pidfd = pidfd;
    return 0;
}

int croost_probe_cgroup(int cgroup)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int pidfd = -1, must_enter = 0;
    pid_t pid = bear(cgroup, 0, &pidfd, &must_enter);
    int error = errno;
    if (pid == 0)
        _exit(must_enter ? enter(cgroup) : 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        return error;
    siginfo_t info;
    memset(&info, 0, sizeof info);
    while (waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED) != 0 && errno == EINTR)
        ;
    close(pidfd);
    return info.si_code == CLD_EXITED ? info.si_status : EINTR;
}
