// The only system calls that the reader of positions may make, even if an attacker controls it. docs/security.md gives
// the reasons.
#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int allowed[] = {
    // Its two sockets. `sendmsg` could pass descriptors.
    SYS_recvfrom, SYS_sendto, SYS_close,
#ifdef SYS_poll
    SYS_poll,
#endif
    SYS_ppoll,
    // Memory for data, and the random seed of hash tables.
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_getrandom,
    // Locks and clocks of the runtime.
    SYS_futex, SYS_clock_gettime,
    // `abort` without the signal: it then ends itself by an illegal instruction.
    SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_rt_sigreturn, SYS_getpid, SYS_gettid,
    SYS_exit, SYS_exit_group,
};

// No new code.
static const struct croost_refusal refused[] = {
    { SYS_mmap, EPERM, CROOST_ANY_BIT, 2, PROT_EXEC },
    { SYS_mprotect, EPERM, CROOST_ANY_BIT, 2, PROT_EXEC },
};

static char farewell[1024];
static size_t farewell_size;
static int farewell_socket;

static void say_farewell(int number)
{
    (void)number;
    send(farewell_socket, farewell, farewell_size, MSG_NOSIGNAL);
    _exit(0);
}

void croost_say_and_exit_after(unsigned seconds, int socket, const void *message, size_t size)
{
    farewell_socket = socket;
    farewell_size = size < sizeof farewell ? size : 0;
    memcpy(farewell, message, farewell_size);
    signal(SIGALRM, say_farewell);
    // The parent may have blocked the signal.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    alarm(seconds);
}

int croost_refuse_calls_of_gps(void)
{
    int error = croost_refuse_calls(refused, sizeof refused / sizeof refused[0]);
    return error != 0 ? error : croost_allow_only(allowed, sizeof allowed / sizeof allowed[0]);
}
