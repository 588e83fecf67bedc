// Functions that Swift's Glibc module lacks: epoll and similar calls, clone3 into a cgroup, pidfds, and a few macros.
//
// Each function returns 0 or an errno, unless its comment says otherwise. `errno` itself may change. No function keeps
// state, and all may be called on any thread.
#ifndef CROOST_H
#define CROOST_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>

// MARK: Starting a process

// The restrictions of a child. Zeros, and -1 for the ruleset, mean no restriction.
struct croost_bounds {
    const int *groups;      // `tasks` files of the v1 cgroups to join, open for writing
    int group_count;
    int no_core;            // whether core files are disabled
    uint64_t open_files;    // soft and hard limit; 0 keeps ours
    uint64_t file_size;
    uint64_t processes;     // for its user
    int has_user;           // whether it changes to `uid` and `gid`, without other groups
    unsigned uid;
    unsigned gid;
    const char *passwd;     // replaces /etc/passwd if the app can get a mount namespace; or NULL
    const char *group;      // the same for /etc/group
    int drop_capabilities;  // all, permanently
    int no_new_privileges;
    int ruleset;            // of Landlock, or -1; above 9
    int refuse_calls;       // whether the kernel refuses the system calls that no app may make
};

// The parameters of a child. The caller keeps all descriptors.
struct croost_launch {
    const char *executable;
    char *const *arguments;    // argv, ended by NULL
    char *const *environment;  // envp, ended by NULL
    const char *directory;     // its working directory
    int log;                   // its standard output and error
    int cgroup;                // the open directory of its cgroup, or -1
    int passed;                // a descriptor that it gets as number 3, or -1
    uint64_t open_files;       // its soft limit of open files; 0 keeps ours
    int sibling;               // whether it becomes our parent's child, and our parent reaps it
    const struct croost_bounds *bounds;  // NULL for none
};

// The step at which a start failed.
enum croost_step {
    CROOST_STEP_NONE = 0,
    CROOST_STEP_PREPARE,      // pipe, in the parent
    CROOST_STEP_CLONE,        // clone3 or fork
    CROOST_STEP_CGROUP,       // the child could not enter its cgroup
    CROOST_STEP_SESSION,      // setsid
    CROOST_STEP_DESCRIPTORS,  // standard descriptors, or closing the others
    CROOST_STEP_DIRECTORY,    // chdir
    CROOST_STEP_EXECUTE,      // execve
    CROOST_STEP_TIMEOUT,      // no report from the child in five seconds; it was killed
    CROOST_STEP_GROUPS,       // a v1 cgroup
    CROOST_STEP_LIMITS,       // setrlimit
    CROOST_STEP_CAPABILITIES, // dropping capabilities, or no_new_privs
    CROOST_STEP_USER,         // its uid and gid
    CROOST_STEP_LANDLOCK,     // landlock_restrict_self
    CROOST_STEP_FILTER,       // seccomp
};

struct croost_started {
    int pid;
    int pidfd;  // close-on-exec; the caller closes it
};

// Starts a child as the leader of its own session, and waits until it runs the new program or has failed. After a
// failure, the child is killed and reaped.
int croost_start(const struct croost_launch *launch, struct croost_started *started, enum croost_step *failed);

// Whether a child process can start in the cgroup with this open directory. Starts a child that exits at once.
int croost_probe_cgroup(int cgroup);

// Starts the program at a path, in its own session, with our standard descriptors. Because of its own session, a
// terminal's signals do not reach it. NULL as environment means ours. The child gets `passed` as number 3, unless it is
// -1. The child inherits the signal mask.
int croost_spawn(const char *program, char *const *arguments, char *const *environment, int passed, int *pid);

// A child of ours that has ended and is not reaped yet. EAGAIN if no child has ended, ECHILD without children.
int croost_next_ended(int *pid);

// MARK: Landlock

// The version of Landlock's interface. A negative errno if the kernel lacks it, or if it is disabled.
int croost_landlock_abi(void);

// A ruleset that handles these rights; the caller closes it. Before version 6, `scoped` must be 0.
int croost_landlock_create(uint64_t handled, uint64_t scoped, int *ruleset);

// Allows rights on a file, or on a directory and everything below it. A symbolic link at the end of the path is not
// followed.
int croost_landlock_allow(int ruleset, const char *path, uint64_t allowed);

// MARK: Refusing system calls (seccomp)

// The condition under which a system call is refused.
enum croost_when {
    CROOST_ALWAYS,
    CROOST_ANY_BIT,  // if the low 32 bits of an argument have any bit of `value`
    CROOST_EQUAL,    // if they equal `value`
    CROOST_NO_BIT,   // if they have no bit of `value`
    CROOST_OTHER,    // if they differ from `value`
};

struct croost_refusal {
    int call;  // its number on this architecture
    int error; // the errno that the caller gets
    enum croost_when when;
    int argument; // 0 to 5
    uint32_t value;
};

// Whether the kernel can refuse calls: 0, or the errno with the reason.
int croost_can_refuse_calls(void);

// Makes the kernel refuse these calls to the calling thread and its future children, permanently. All other calls are
// allowed. Calls of other architectures (i386, x32) fail with ENOSYS. Needs no_new_privs or CAP_SYS_ADMIN. Safe between
// fork and execve.
int croost_refuse_calls(const struct croost_refusal *refusals, int count);

// The opposite: makes the kernel refuse all calls but these, with EPERM.
int croost_allow_only(const int *calls, int count);

// Sets the size of the stacks of all threads that are started later.
void croost_set_stack_size(size_t bytes);

// Has malloc keep up to `bytes` of freed memory, and take blocks of up to a sixteenth of that from it.
void croost_retain_memory(int bytes);

// Closes this descriptor and all higher ones.
void croost_close_from(int first);

// Makes the kernel refuse the calls that the carrier of transfers does not need. These are: the calls refused to apps,
// starting programs and processes, signaling other processes, sockets outside of the internet domains and netlink, and
// passing descriptors over the socket `channel`.
int croost_refuse_calls_of_carrier(int channel);

// Makes the kernel refuse all calls but those by which the reader of positions receives and sends on open sockets.
int croost_refuse_calls_of_gps(void);

// After so many seconds, unless `alarm(0)` comes first, sends a message of less than 1 KiB to a socket, and ends this
// process with exit code 0.
void croost_say_and_exit_after(unsigned seconds, int socket, const void *message, size_t size);

// Restricts this process permanently, as an app before its execve. `failed` is the step that failed.
int croost_confine(const struct croost_bounds *bounds, enum croost_step *failed);

// MARK: Priority of a thread, or of a process's first thread

int croost_set_nice(int thread, int nice);
int croost_get_nice(int thread, int *nice);

// Sets SCHED_BATCH, or restores SCHED_OTHER. Both need no privileges.
int croost_set_batch(int thread, int is_batch);
int croost_is_batch(int thread);

// Sets a level in the best-effort class, whose last level is 7. A negative level means the level that follows from
// niceness.
int croost_set_io_level(int thread, int level);
// The effective level, 0 to 7, also if the level follows from niceness. ENODATA if the thread has chosen another class.
int croost_get_io_level(int thread, int *level);

// MARK: Sockets

// Accepts the next connection of a listening socket, close-on-exec and non-blocking. -1 if no connection is pending.
int croost_accept(int listening);

// Makes the kernel refuse descriptors (SCM_RIGHTS) on a Unix socket and on connections accepted from it. The sender
// gets EPERM (Linux 6.16). ENOPROTOOPT if the kernel cannot do this.
int croost_refuse_descriptors(int socket);

// The maximum number of descriptors in one message of a Unix socket.
#define CROOST_PASSED_AT_ONCE 253

// Reads available data without waiting, like recv. Descriptors passed with it go to `descriptors`, which has room for
// CROOST_PASSED_AT_ONCE. The caller closes them.
long croost_receive(int socket, void *buffer, size_t size, int *descriptors, int *count);

// Closes descriptors that an untrusted peer has passed. The peer can make this take arbitrarily long, so call it on a
// thread that may wait.
void croost_close_passed(const int *descriptors, int count);

// Closes a connection with an untrusted peer, and descriptors in unread messages. The call may take as long as
// croost_close_passed.
void croost_close_connection(int socket);

// The answer to whether a descriptor is a connected TCP socket.
struct croost_tcp {
    int is_tcp;        // over IPv4 or IPv6
    int is_connected;  // and our side is not shut down for sending; the peer may have ended its side
    uint64_t cookie;   // SO_COOKIE, the kernel's number of the socket; 0 if it is unknown
};

// Examines a descriptor of any kind. Waits while another process has the lock of the TCP socket, which an untrusted
// process can make arbitrarily long.
struct croost_tcp croost_examine_tcp(int descriptor);

// Sends a packet without waiting, with a descriptor unless `passed` is -1. Otherwise like send(2).
ssize_t croost_send_passing(int socket, const void *bytes, size_t count, int passed);

// Receives a packet without waiting, and a descriptor passed with it: close-on-exec, the caller closes it; -1 for none.
// Otherwise like recv(2). Only for trusted peers.
ssize_t croost_receive_passed(int socket, void *bytes, size_t count, int *passed);

// MARK: pidfds

int croost_pidfd_open(int pid, int *pidfd);
int croost_pidfd_send_signal(int pidfd, int signal);

// A duplicate of the process's descriptor with this number: close-on-exec, the caller closes it. EBADF if the process
// has no such descriptor, EPERM if we may not trace the process. Waits while the process executes another program, which
// an untrusted process can make arbitrarily long.
int croost_pidfd_getfd(int pidfd, int number, int *descriptor);

// Whether a process is in exactly the cgroup (v2) with this inode number. 0 also if the kernel does not report it,
// before 6.13.
int croost_pidfd_is_in(int pidfd, uint64_t cgroup);

struct croost_exit {
    int is_signal;  // whether `value` is the signal that ended it, not its exit code
    int value;
};

// Reaps the process. EAGAIN while it runs; ECHILD if it is not our child, or was already reaped.
int croost_pidfd_wait(int pidfd, struct croost_exit *exit);

// Whether a child was stopped (1) or continued (-1) since the last call; 0 for neither.
int croost_stop_news(int pid);

// Reaps a child that has ended. EAGAIN while it runs; ECHILD if it is not our child.
int croost_reap(int pid, struct croost_exit *exit);

// How a process ended that another process reaped (Linux 6.15 and later). ENODATA if the kernel does not report it.
int croost_pidfd_exit_info(int pidfd, struct croost_exit *exit);

// Decodes a wait status, such as that in field 52 of /proc/PID/stat.
struct croost_exit croost_exit_from_status(int status);

// MARK: Miscellaneous

struct croost_peer {
    int pid;
    unsigned uid;
    unsigned gid;
};

// The process at the other end of a Unix socket when it connected: SO_PEERCRED.
int croost_peer_credentials(int socket, struct croost_peer *peer);

// A name for an open directory's filesystem that stays the same across boots: its UUID, or a number derived from the
// UUID. Not zero if the filesystem has no such name.
int croost_filesystem_name(int directory, char *name, size_t size);

// The pidfd of the process that connected (SO_PEERPIDFD, Linux 6.5). On older kernels, the pidfd of the process that
// now has this pid. The caller closes it. An error if the process is gone.
int croost_peer_pidfd(int socket, int pid, int *pidfd);

// Releases the memory for code and constants of this process and its libraries that startup used. Pages that are needed
// again come from the page cache.
void croost_release_code(void);

// The current content of an open `cgroup.events`, as croost_event bits; -1 with errno if it cannot be read. Reading
// also arms the next notification.
enum croost_event { CROOST_POPULATED = 1, CROOST_FROZEN = 2, CROOST_HAS_FIRST = 4 };
int croost_cgroup_events(int descriptor);

// Whether a process is in the first lines of an open `cgroup.procs`.
int croost_cgroup_lists(int descriptor, int32_t pid);

struct croost_freezer {
    int freeze;   // the open `cgroup.freeze`, for writing
    int events;   // the open `cgroup.events`
    int first;    // the first process's pidfd
    uint64_t id;  // the cgroup's inode number
};

// Requests that a cgroup be frozen, and checks whether it is frozen: at once, and up to `looks` more times, at most
// `pause` nanoseconds apart. Returns the events of the last check, with CROOST_HAS_FIRST if the first process was seen
// in the cgroup. -1 with errno if a file cannot be used.
int croost_cgroup_freeze(const struct croost_freezer *freezer, int looks, int64_t pause);

// Waits at most `nanoseconds` until the descriptor shows one of `events` (POLLIN, …), an error or a hang-up. ETIMEDOUT
// otherwise.
int croost_wait_for(int descriptor, short events, int64_t nanoseconds);

// Flushes standard output. EIO if an earlier write failed.
int croost_finish_output(void);

// Makes the kernel send `signal` to this process when its parent, the process `parent`, ends. ESRCH if it has already
// ended.
int croost_end_with_parent(int parent, int signal);

// Names the calling thread. Only the first 15 bytes are used.
void croost_name_thread(const char *name);

// O_PATH, which Swift's Glibc module lacks.
extern const int croost_o_path;

// Raises our own soft limit of open files to the hard limit. `before` is the previous soft limit.
int croost_raise_open_files(uint64_t *before);

// A descriptor that becomes readable when the wall clock is set. The caller closes it.
int croost_clock_watch(int *descriptor);

// Whether the clock was set, once the descriptor is readable. Watching continues.
int croost_clock_was_set(int descriptor);

// A descriptor that becomes readable when a network link or an address changes. The caller closes it.
int croost_link_watch(int *descriptor);

// A descriptor that becomes readable when the kernel reports a device. The caller closes it.
int croost_device_watch(int *descriptor);

// Reads all messages of a descriptor from the two functions above. Returns whether a message contains `word` or was
// lost; if `word` is NULL, whether any message was read.
int croost_netlink_drain(int descriptor, const char *word);

// Clock readings in nanoseconds.
int64_t croost_monotonic(void);
int64_t croost_boottime(void);
int64_t croost_realtime(void);

// MARK: Transfers

// Allocates disk space for a part of a file. The file's length does not change.
int croost_reserve(int file, int64_t offset, int64_t length);

// Whether a file is stored in memory only.
int croost_is_in_memory(int file);

// Parses an HTTP date in any of its three formats, in seconds since 1970. EINVAL for other text.
int croost_http_date(const char *text, int64_t *seconds);

// Our environment, ended by NULL. Do not read it while another thread changes it.
char *const *croost_environment(void);

#endif
