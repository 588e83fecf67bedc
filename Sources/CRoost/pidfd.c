#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif
// From 424 on, a call has the same number on all architectures. The headers may be older than the kernel.
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

// Kernel headers have these from 6.13 and 6.15 on. Declared here, because the running kernel may be newer than the
// build headers.
struct pidfd_info_v0 {
    uint64_t mask;
    uint64_t cgroup;
    uint32_t pid, tgid, ppid;
    uint32_t ruid, rgid, euid, egid, suid, sgid, fsuid, fsgid;
    int32_t exit_code;
};
_Static_assert(sizeof(struct pidfd_info_v0) == 64, "PIDFD_INFO_SIZE_VER0");
#define GET_INFO _IOWR(0xFF, 11, struct pidfd_info_v0)
#define INFO_CGROUP (UINT64_C(1) << 2)
#define INFO_EXIT (UINT64_C(1) << 3)

int croost_pidfd_open(int pid, int *pidfd)
{
    long result = syscall(SYS_pidfd_open, pid, 0);
    if (result < 0)
        return errno;
    *pidfd = (int)result;
    return 0;
}

int croost_pidfd_send_signal(int pidfd, int signal)
{
    return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) == 0 ? 0 : errno;
}

int croost_pidfd_getfd(int pidfd, int number, int *descriptor)
{
    long result = syscall(SYS_pidfd_getfd, pidfd, number, 0);
    if (result < 0)
        return errno;
    *descriptor = (int)result;
    return 0;
}

int croost_pidfd_is_in(int pidfd, uint64_t cgroup)
{
    struct pidfd_info_v0 info;
    memset(&info, 0, sizeof info);
    info.mask = INFO_CGROUP;
    return ioctl(pidfd, GET_INFO, &info) == 0 && info.mask & INFO_CGROUP && info.cgroup == cgroup;
}

struct croost_exit croost_exit_from_status(int status)
{
    if (WIFSIGNALED(status))
        return (struct croost_exit){ 1, WTERMSIG(status) };
    return (struct croost_exit){ 0, WEXITSTATUS(status) };
}

int croost_pidfd_wait(int pidfd, struct croost_exit *exit)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int result;
    do {
        result = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG);
    } while (result != 0 && errno == EINTR);
    if (result != 0)
        return errno;
    if (info.si_pid == 0)
        return EAGAIN;
    exit->is_signal = info.si_code != CLD_EXITED;
    exit->value = info.si_status;
    return 0;
}

int croost_pidfd_exit_info(int pidfd, struct croost_exit *exit)
{
    struct pidfd_info_v0 info;
    memset(&info, 0, sizeof info);
    info.mask = INFO_EXIT;
    if (ioctl(pidfd, GET_INFO, &info) != 0)
        return errno == ESRCH ? ESRCH : ENODATA;
    if (!(info.mask & INFO_EXIT))
        return ENODATA;
    *exit = croost_exit_from_status(info.exit_code);
    return 0;
}
