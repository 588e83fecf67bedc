#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// The architectures whose call numbers we have. On both, the low half of an argument comes first.
#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#define X32_BIT 0x40000000u
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE

#define MOST_INSTRUCTIONS 1024
// The maximum number of instructions per refusal.
#define LONGEST 5

struct program {
    struct sock_filter instructions[MOST_INSTRUCTIONS];
    unsigned short count;
};

static void add(struct program *program, uint16_t code, uint32_t operand, uint8_t if_true, uint8_t if_false)
{
    program->instructions[program->count++] = (struct sock_filter){ code, if_true, if_false, operand };
}

static void load(struct program *program, size_t offset)
{
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void give(struct program *program, int error)
{
    add(program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((uint32_t)error & SECCOMP_RET_DATA), 0, 0);
}

// Expects the call's number in the accumulator, and leaves it there.
static void refuse(struct program *program, const struct croost_refusal *refusal)
{
    if (refusal->when == CROOST_ALWAYS) {
        add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refusal->call, 0, 1);
        return give(program, refusal->error);
    }
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refusal->call, 0, LONGEST - 1);
    load(program, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)refusal->argument);
    int of_bits = refusal->when == CROOST_ANY_BIT || refusal->when == CROOST_NO_BIT;
    int is_denied = refusal->when == CROOST_NO_BIT || refusal->when == CROOST_OTHER;
    uint16_t test = of_bits ? BPF_JSET : BPF_JEQ;
    add(program, (uint16_t)(BPF_JMP | test | BPF_K), refusal->value, (uint8_t)is_denied, (uint8_t)!is_denied);
    give(program, refusal->error);
    load(program, offsetof(struct seccomp_data, nr));
}

// Refuses calls of other architectures. Leaves the call's number in the accumulator.
static void begin(struct program *program)
{
    program->count = 0;
    load(program, offsetof(struct seccomp_data, arch));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
    give(program, ENOSYS);
    load(program, offsetof(struct seccomp_data, nr));
#ifdef X32_BIT
    add(program, BPF_JMP | BPF_JSET | BPF_K, X32_BIT, 0, 1);
    give(program, ENOSYS);
#endif
}

static int install(struct program *program)
{
    struct sock_fprog given = { program->count, program->instructions };
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &given) == 0 ? 0 : errno;
}

int croost_refuse_calls(const struct croost_refusal *refusals, int count)
{
    struct program program;
    if (count < 0 || count > MOST_INSTRUCTIONS / LONGEST - LONGEST)
        return E2BIG;
    begin(&program);
    for (int index = 0; index < count; index++)
        refuse(&program, &refusals[index]);
    add(&program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    return install(&program);
}

int croost_allow_only(const int *calls, int count)
{
    struct program program;
    if (count < 0 || count > MOST_INSTRUCTIONS / LONGEST - LONGEST)
        return E2BIG;
    begin(&program);
    for (int index = 0; index < count; index++) {
        add(&program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[index], 0, 1);
        add(&program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    }
    give(&program, EPERM);
    return install(&program);
}

int croost_can_refuse_calls(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 0 : errno;
}

#else

int croost_refuse_calls(const struct croost_refusal *refusals, int count)
{
    (void)refusals, (void)count;
    return ENOSYS;
}

int croost_allow_only(const int *calls, int count)
{
    (void)calls, (void)count;
    return ENOSYS;
}

int croost_can_refuse_calls(void) { return ENOSYS; }

#endif
