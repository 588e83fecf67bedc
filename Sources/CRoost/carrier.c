// The system calls that the carrier of transfers may not make, even if an attacker controls it. docs/security.md
// gives the reasons.
#define _GNU_SOURCE
#include "bounds.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// From 424 on, a call has the same number on all architectures. The headers may be older than the kernel.
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

// One more than the highest socket domain.
#define DOMAINS 46
#define MOST 128
#define NEVER(name) { SYS_##name, EPERM, CROOST_ALWAYS, 0, 0 }

static const struct croost_refusal refused[] = {
    NEVER(execve), NEVER(execveat),
    { SYS_clone, EPERM, CROOST_NO_BIT, 0, CLONE_THREAD },
#ifdef SYS_fork
    NEVER(fork), NEVER(vfork),
#endif
    NEVER(ptrace), NEVER(process_vm_readv), NEVER(process_vm_writev),
    NEVER(kill), NEVER(tkill), NEVER(rt_sigqueueinfo), NEVER(rt_tgsigqueueinfo),
    NEVER(pidfd_open), NEVER(pidfd_getfd), NEVER(pidfd_send_signal),
    // The carrier accepts no connections. `bind` stays allowed: the C library calls it to ask the kernel for addresses.
    // libcurl wakes its threads by a `socketpair`, which leads nowhere else.
    NEVER(listen), NEVER(accept), NEVER(accept4),
    // `sendmsg` could pass descriptors. The C library queries name servers with `sendmmsg`.
    NEVER(sendmsg),
    { SYS_prlimit64, EPERM, CROOST_OTHER, 0, 0 },
    NEVER(sched_setscheduler), NEVER(sched_setattr), NEVER(sched_setparam), NEVER(sched_setaffinity),
    NEVER(setpriority), NEVER(ioprio_set),
};

void croost_set_stack_size(size_t bytes)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

void croost_close_from(int first)
{
    if (syscall(SYS_close_range, first, ~0u, 0) == 0)
        return;
    // For kernels before 5.9.
    for (long descriptor = first, end = sysconf(_SC_OPEN_MAX); descriptor < end; descriptor++)
        close((int)descriptor);
}

int croost_refuse_calls_of_carrier(int channel)
{
    struct croost_refusal refusals[MOST];
    int count = 0;
    for (; count < (int)(sizeof refused / sizeof refused[0]); count++)
        refusals[count] = refused[count];
    for (uint32_t domain = 0; domain < DOMAINS; domain++)
        if (domain != AF_INET && domain != AF_INET6 && domain != AF_NETLINK)
            refusals[count++] = (struct croost_refusal){ SYS_socket, EAFNOSUPPORT, CROOST_EQUAL, 0, domain };
    // The carrier may only signal itself, for `abort`.
    refusals[count++] = (struct croost_refusal){ SYS_tgkill, EPERM, CROOST_OTHER, 0, (uint32_t)getpid() };
    static const int of_channel[] = {
        SYS_sendmmsg, SYS_dup, SYS_dup3, SYS_fcntl,
#ifdef SYS_dup2
        SYS_dup2,
#endif
    };
    for (unsigned index = 0; index < sizeof of_channel / sizeof of_channel[0]; index++)
        refusals[count++] =
            (struct croost_refusal){ of_channel[index], EPERM, CROOST_EQUAL, 0, (uint32_t)channel };
    int error = croost_refuse_calls_of_apps(CROOST_SHARED_IPC);
    return error != 0 ? error : croost_refuse_calls(refusals, count);
}

void croost_retain_memory(int bytes)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, bytes);
    mallopt(M_MMAP_THRESHOLD, bytes / 16);
#endif
}
