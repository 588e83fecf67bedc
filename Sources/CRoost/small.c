#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

const int croost_o_path = O_PATH;

int croost_peer_credentials(int socket, struct croost_peer *peer)
{
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
        return errno;
    peer->pid = credentials.pid;
    peer->uid = credentials.uid;
    peer->gid = credentials.gid;
    return 0;
}

int croost_finish_output(void)
{
    int had_failed = ferror(stdout);
    if (fflush(stdout) != 0)
        return errno;
    return had_failed ? EIO : 0;
}

int croost_end_with_parent(int parent, int signal)
{
    if (prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) != 0)
        return errno;
    return getppid() == parent ? 0 : ESRCH;
}

void croost_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int croost_wait_for(int descriptor, short events, int64_t nanoseconds)
{
    int64_t end = croost_monotonic() + nanoseconds;
    for (;;) {
        struct pollfd entry = { .fd = descriptor, .events = events };
        struct timespec span = { nanoseconds / 1000000000, nanoseconds % 1000000000 };
        int count = ppoll(&entry, 1, &span, NULL);
        if (count > 0)
            return 0;
        if (count == 0)
            return ETIMEDOUT;
        if (errno != EINTR)
            return errno;
        nanoseconds = end - croost_monotonic();
        if (nanoseconds <= 0)
            return ETIMEDOUT;
    }
}

int croost_raise_open_files(uint64_t *before)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return errno;
    *before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? 0 : errno;
}

static int64_t reading(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t croost_monotonic(void) { return reading(CLOCK_MONOTONIC); }
int64_t croost_boottime(void) { return reading(CLOCK_BOOTTIME); }
int64_t croost_realtime(void) { return reading(CLOCK_REALTIME); }

char *const *croost_environment(void) { return environ; }

#define BTRFS 0x9123683E
#define EXT 0xEF53
#define TMPFS 0x01021994

// FS_IOC_GETFSUUID, from Linux 6.9 on: a length byte, then the UUID.
#define GET_UUID _IOR(0x15, 0, unsigned char[17])

int croost_filesystem_name(int directory, char *name, size_t size)
{
    struct statfs status;
    unsigned number[2];
    if (fstatfs(directory, &status) != 0)
        return -1;
    memcpy(number, &status.f_fsid, sizeof number);
    // A btrfs snapshot has the UUID and the inode numbers of its source subvolume. Only f_fsid differs between
    // subvolumes.
    int is_btrfs = (unsigned)status.f_type == BTRFS;
    unsigned char uuid[17] = { 0 };
    const unsigned char nothing[16] = { 0 };
    if (!is_btrfs && ioctl(directory, GET_UUID, uuid) == 0 && uuid[0] == 16 && memcmp(uuid + 1, nothing, 16) != 0) {
        char digits[33];
        for (int i = 0; i < 16; i++)
            snprintf(digits + 2 * i, 3, "%02x", uuid[i + 1]);
        return snprintf(name, size, "uuid:%s", digits) < (int)size ? 0 : -1;
    }
    // These filesystems derive f_fsid from their UUID, others from the device number.
    int is_kept = is_btrfs || (unsigned)status.f_type == EXT || (unsigned)status.f_type == TMPFS;
    if (!is_kept || (number[0] == 0 && number[1] == 0))
        return -1;
    return snprintf(name, size, "fsid:%08x%08x", number[0], number[1]) < (int)size ? 0 : -1;
}
