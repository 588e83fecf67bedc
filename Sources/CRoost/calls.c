// The system calls that no app may make at the levels `uids` and `landlock`. docs/security.md gives the reason for
// each.
#define _GNU_SOURCE
#include "bounds.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// From 424 on, a call has the same number on all architectures. The headers may be older than the kernel.
#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#define SYS_fspick 433
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#define SYS_io_uring_enter 426
#define SYS_io_uring_register 427
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr 467
#endif

// From <linux/ioprio.h>.
#define IOPRIO_WHO_USER 3

// CLONE_NEWTIME works only in `unshare`: in the flags of `clone`, its bit belongs to the signal number.
#define NEW_NAMESPACES                                                                                                 \
    ((uint32_t)(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID             \
                | CLONE_NEWNET))
#define NEW_TIME 0x80u

#define NEVER(name) { SYS_##name, EPERM, CROOST_ALWAYS, 0, 0 }

static const struct croost_refusal refused[] = {
    // The flags of clone3 are in memory, which a filter cannot read. Without clone3, the C library uses `clone`.
    { SYS_clone3, ENOSYS, CROOST_ALWAYS, 0, 0 },
    { SYS_clone, EPERM, CROOST_ANY_BIT, 0, NEW_NAMESPACES },
    { SYS_unshare, EPERM, CROOST_ANY_BIT, 0, NEW_NAMESPACES | NEW_TIME },
    NEVER(setns),

    NEVER(mount), NEVER(umount2), NEVER(pivot_root), NEVER(chroot),
    NEVER(open_tree), NEVER(open_tree_attr), NEVER(move_mount), NEVER(mount_setattr),
    NEVER(fsopen), NEVER(fsconfig), NEVER(fsmount), NEVER(fspick),
    NEVER(open_by_handle_at), NEVER(quotactl), NEVER(quotactl_fd),

    // A set-uid or set-gid file gives its owner's rights to every user who can reach it.
#ifdef SYS_chmod
    { SYS_chmod, EPERM, CROOST_ANY_BIT, 1, S_ISUID | S_ISGID },
#endif
    { SYS_fchmod, EPERM, CROOST_ANY_BIT, 1, S_ISUID | S_ISGID },
    { SYS_fchmodat, EPERM, CROOST_ANY_BIT, 2, S_ISUID | S_ISGID },
    { SYS_fchmodat2, EPERM, CROOST_ANY_BIT, 2, S_ISUID | S_ISGID },

    NEVER(io_uring_setup), NEVER(io_uring_enter), NEVER(io_uring_register),
    NEVER(bpf), NEVER(perf_event_open), NEVER(userfaultfd),
    NEVER(add_key), NEVER(request_key), NEVER(keyctl),

    NEVER(kexec_load), NEVER(init_module), NEVER(finit_module), NEVER(delete_module),
    NEVER(reboot), NEVER(swapon), NEVER(swapoff), NEVER(acct), NEVER(syslog), NEVER(vhangup),
    NEVER(settimeofday), NEVER(clock_settime), NEVER(sethostname), NEVER(setdomainname),
#ifdef SYS_kexec_file_load
    NEVER(kexec_file_load),
#endif
#ifdef SYS_iopl
    NEVER(iopl), NEVER(ioperm),
#endif
};

// The kernel checks only the uid before one process limits or slows down another. A process may still change itself if
// it passes 0, but not its other threads.
static const struct croost_refusal of_shared_user[] = {
    { SYS_prlimit64, EPERM, CROOST_OTHER, 0, 0 },
    { SYS_sched_setscheduler, EPERM, CROOST_OTHER, 0, 0 },
    { SYS_sched_setattr, EPERM, CROOST_OTHER, 0, 0 },
    { SYS_sched_setparam, EPERM, CROOST_OTHER, 0, 0 },
    { SYS_sched_setaffinity, EPERM, CROOST_OTHER, 0, 0 },
    { SYS_setpriority, EPERM, CROOST_OTHER, 1, 0 },
    { SYS_setpriority, EPERM, CROOST_EQUAL, 0, PRIO_USER },
    { SYS_ioprio_set, EPERM, CROOST_OTHER, 1, 0 },
    { SYS_ioprio_set, EPERM, CROOST_EQUAL, 0, IOPRIO_WHO_USER },
    // Opening a file waits for a lease on it. An app could take leases on files of the same uid, such as its log.
    { SYS_fcntl, EPERM, CROOST_EQUAL, 1, F_SETLEASE },
    // Landlock does not check changes of a file's mode or attributes, and the kernel checks only the uid. Calls with a
    // descriptor are allowed: Landlock checked the file when it was opened.
#ifdef SYS_chmod
    NEVER(chmod),
#endif
    NEVER(fchmodat), NEVER(fchmodat2),
    NEVER(setxattr), NEVER(lsetxattr), NEVER(removexattr), NEVER(lremovexattr),
};

// For an app with root's uid. Root owns the system's files and may open them for reading, so calls with a descriptor are
// refused, too.
static const struct croost_refusal of_shared_root[] = {
    NEVER(fchmod), NEVER(fsetxattr), NEVER(fremovexattr),
};

#define NO_IPC(name) { SYS_##name, ENOSYS, CROOST_ALWAYS, 0, 0 }

// These objects outlive the process that creates them, and belong to a uid.
static const struct croost_refusal of_shared_ipc[] = {
    NO_IPC(shmget), NO_IPC(shmat), NO_IPC(shmctl),
    NO_IPC(semget), NO_IPC(semop), NO_IPC(semtimedop), NO_IPC(semctl),
    NO_IPC(msgget), NO_IPC(msgsnd), NO_IPC(msgrcv), NO_IPC(msgctl),
};

#define COUNT(refusals) (int)(sizeof refusals / sizeof refusals[0])

int croost_refuse_calls_of_apps(int shared)
{
    int error = croost_refuse_calls(refused, COUNT(refused));
    if (error == 0 && (shared & CROOST_SHARED_USER))
        error = croost_refuse_calls(of_shared_user, COUNT(of_shared_user));
    if (error == 0 && (shared & CROOST_SHARED_USER) && geteuid() == 0)
        error = croost_refuse_calls(of_shared_root, COUNT(of_shared_root));
    if (error == 0 && (shared & CROOST_SHARED_IPC))
        error = croost_refuse_calls(of_shared_ipc, COUNT(of_shared_ipc));
    return error;
}
