// What Swift's Glibc module does not reach: epoll and its kin, clone3 into a cgroup, pidfds, and a few macros.
// Each function gives 0, or the errno it failed with, unless its comment says otherwise. None touches `errno`
// on purpose, none keeps state, and all may be called on any thread.
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

// What a child is held to; zeros (and -1 for the ruleset) hold it to nothing.
struct croost_bounds {
    const int *groups;      // `tasks` files of the v1 cgroups it joins, open for writing
    int group_count;
    int no_core;            // whether it leaves no core files
    uint64_t open_files;    // soft and hard limits; 0 leaves ours
    uint64_t file_size;
    uint64_t processes;     // of its user
    int has_user;           // whether it becomes `uid` and `gid`, without other groups
    unsigned uid;
    unsigned gid;
    const char *passwd;     // what the app finds as /etc/passwd, if it can have a mount namespace of its own; or NULL
    const char *group;      // the same for /etc/group
    int drop_capabilities;  // all, for good
    int no_new_privileges;
    int ruleset;            // of Landlock, or -1; above 9
    int refuse_calls;       // whether the kernel refuses it the system calls that no app may make
};

// What a child is made of. All descriptors stay the caller's.
struct croost_launch {
    const char *executable;
    char *const *arguments;    // argv, ended by NULL
    char *const *environment;  // envp, ended by NULL
    const char *directory;     // where it starts
    int log;                   // becomes its standard output and error
    int cgroup;                // the directory of the cgroup it is born in, or -1
    int passed;                // a descriptor it finds as number 3, or -1
    uint64_t open_files;       // its soft limit of open files, or 0 for ours
    int sibling;               // whether it becomes our parent's child, who then has to reap it, and not ours
    const struct croost_bounds *bounds;  // or NULL for none
};

// Where a start failed.
enum croost_step {
    CROOST_STEP_NONE = 0,
    CROOST_STEP_PREPARE,      // pipe, in the parent
    CROOST_STEP_CLONE,        // clone3 or fork
    CROOST_STEP_CGROUP,       // the child could not enter its cgroup
    CROOST_STEP_SESSION,      // setsid
    CROOST_STEP_DESCRIPTORS,  // standard descriptors, or closing the others
    CROOST_STEP_DIRECTORY,    // chdir
    CROOST_STEP_EXECUTE,      // execve
    CROOST_STEP_TIMEOUT,      // no word from the child in five seconds; it was ended
    CROOST_STEP_GROUPS,       // a v1 cgroup
    CROOST_STEP_LIMITS,       // setrlimit
    CROOST_STEP_CAPABILITIES, // dropping capabilities, or no_new_privs
    CROOST_STEP_USER,         // its uid and gid
    CROOST_STEP_LANDLOCK,     // landlock_restrict_self
    CROOST_STEP_FILTER,       // seccomp
};

struct croost_started {
    int pid;
    int pidfd;  // close-on-exec; the caller's to close
};

// Starts a child as the leader of a session of its own and waits until it runs the new program, or until that
// has failed; a child whose start failed is ended and reaped.
int croost_start(const struct croost_launch *launch, struct croost_started *started, enum croost_step *failed);

// Whether a child of ours may be born in the cgroup whose directory this is: tries it with one that ends at once.
int croost_probe_cgroup(int cgroup);

// Starts a program as itself, found at a path, with our standard descriptors, in a session of its own: what a terminal
// sends does not reach it. Its environment is ours unless one is given. It finds `passed` as number 3, unless that is -1.
// The signals held back stay held back.
int croost_spawn(const char *program, char *const *arguments, char *const *environment, int passed, int *pid);

// A child of ours that has ended and is not reaped yet: EAGAIN where none has, ECHILD where there are no children.
int croost_next_ended(int *pid);

// MARK: Landlock

// The version of Landlock's interface; the negative errno where the kernel has none or it is switched off.
int croost_landlock_abi(void);

// A ruleset that handles these rights; the caller's to close. A kernel before version 6 takes no scopes.
int croost_landlock_create(uint64_t handled, uint64_t scoped, int *ruleset);

// Allows rights on a file, or on a directory and all below it. No symbolic link is followed at the end of the path.
int croost_landlock_allow(int ruleset, const char *path, uint64_t allowed);

// MARK: Refusing system calls (seccomp)

// When a system call is refused.
enum croost_when {
    CROOST_ALWAYS,
    CROOST_ANY_BIT,  // where the low 32 bits of an argument have any of `value`'s
    CROOST_EQUAL,    // where they are `value`
    CROOST_NO_BIT,   // where they have none of `value`'s
    CROOST_OTHER,    // where they are not `value`
};

struct croost_refusal {
    int call;  // its number on this machine
    int error; // what the caller is told
    enum croost_when when;
    int argument; // 0 to 5
    uint32_t value;
};

// Whether the kernel can refuse calls: 0, or the errno that says why not.
int croost_can_refuse_calls(void);

// Has the kernel refuse these calls to the calling thread and to all it starts from now on, for good; all others are
// allowed. Calls of other architectures (i386, x32) fail with ENOSYS. Wants no_new_privs or CAP_SYS_ADMIN. Safe between
// fork and execve.
int croost_refuse_calls(const struct croost_refusal *refusals, int count);

// Closes this descriptor and all above it.
void croost_close_from(int first);

// Has the kernel refuse this process what the carrier of transfers has no use for: what apps are refused, other programs
// and processes, signals to others, sockets but of the internet, and passing descriptors over the socket `channel`.
int croost_refuse_calls_of_carrier(int channel);

// Takes this process's rights away, for good, as for an app before its execve. `failed` is the step that did.
int croost_confine(const struct croost_bounds *bounds, enum croost_step *failed);

// MARK: Priority of a thread, or of a process' first thread

int croost_set_nice(int thread, int nice);
int croost_get_nice(int thread, int *nice);

// SCHED_BATCH, or back to SCHED_OTHER: anybody may do both.
int croost_set_batch(int thread, int is_batch);
int croost_is_batch(int thread);

// Best effort with this level, 7 being the last; below 0 the priority that follows from niceness.
int croost_set_io_level(int thread, int level);
// The level that counts, 0 to 7, also where it follows from niceness. ENODATA: it is of another class, of its own making.
int croost_get_io_level(int thread, int *level);

// MARK: Sockets

// Takes the next connection of a listening socket: close-on-exec and non-blocking. -1 where there is none.
int croost_accept(int listening);

// Has the kernel refuse descriptors (SCM_RIGHTS) at a Unix socket and at those accepted from it, with EPERM for whoever
// sends one (Linux 6.16). ENOPROTOOPT where the kernel has no such thing.
int croost_refuse_descriptors(int socket);

// As many descriptors as one message of a Unix socket carries at most.
#define CROOST_PASSED_AT_ONCE 253

// Reads what is there, as recv does without waiting. Descriptors that come with it go to `descriptors`, which has room
// for CROOST_PASSED_AT_ONCE: they are the caller's to close.
long croost_receive(int socket, void *buffer, size_t size, int *descriptors, int *count);

// Closes what was passed by a stranger. It may take as long as the stranger likes: for a thread that has time.
void croost_close_passed(const int *descriptors, int count);

// Closes a connection with a stranger, and what it has passed and was not read. As long as the above.
void croost_close_connection(int socket);

// Sends a packet without waiting, with a descriptor beside it unless that is -1. Like send(2) otherwise.
ssize_t croost_send_passing(int socket, const void *bytes, size_t count, int passed);

// Takes a packet without waiting, and a descriptor that came with it: close-on-exec, the caller's to close; -1 for none.
// Like recv(2) otherwise. Only for peers that are trusted.
ssize_t croost_receive_passed(int socket, void *bytes, size_t count, int *passed);

// MARK: pidfds

int croost_pidfd_open(int pid, int *pidfd);
int croost_pidfd_send_signal(int pidfd, int signal);

// Whether a process is in the very cgroup (v2) with this inode number; 0 also where the kernel, before 6.13, does not tell.
int croost_pidfd_is_in(int pidfd, uint64_t cgroup);

struct croost_exit {
    int is_signal;  // whether `value` is the signal that ended it; otherwise its exit code
    int value;
};

// Reaps the process: EAGAIN while it runs, ECHILD if it is no child of ours or was reaped already.
int croost_pidfd_wait(int pidfd, struct croost_exit *exit);

// Whether a child was stopped (1) or continued (-1) since the last call; 0 for neither.
int croost_stop_news(int pid);

// Reaps a child that has ended: EAGAIN while it runs, ECHILD if it is no child of ours.
int croost_reap(int pid, struct croost_exit *exit);

// How a process ended that somebody else reaped (Linux 6.15 and later): ENODATA if the kernel does not say.
int croost_pidfd_exit_info(int pidfd, struct croost_exit *exit);

// Takes a wait status to pieces, as /proc/PID/stat has one in its field 52.
struct croost_exit croost_exit_from_status(int status);

// MARK: Small things

struct croost_peer {
    int pid;
    unsigned uid;
    unsigned gid;
};

// Who is at the other end of a Unix socket: SO_PEERCRED, as of its connect.
int croost_peer_credentials(int socket, struct croost_peer *peer);

// The name of an open directory's filesystem, as text: its UUID, or a number made of that. Not zero if it has none that it
// keeps from boot to boot.
int croost_filesystem_name(int directory, char *name, size_t size);

// The pidfd of that process, which the kernel has held since its connect (SO_PEERPIDFD, Linux 6.5); before that, of the
// process that has its number now. The caller's to close. An error where the process is gone.
int croost_peer_pidfd(int socket, int pid, int *pidfd);

// Gives back the memory that holds code and constants of this process, its libraries' too, which a start has touched and
// a wait does not: what is needed again comes from the page cache.
void croost_release_code(void);

// What an open `cgroup.events` says now, by croost_event bits; -1 with errno if it can't be read. Reading it is also what
// arms the next notification.
enum croost_event { CROOST_POPULATED = 1, CROOST_FROZEN = 2, CROOST_HAS_FIRST = 4 };
int croost_cgroup_events(int descriptor);

// Whether a process stands in the first lines of an open `cgroup.procs`.
int croost_cgroup_lists(int descriptor, int32_t pid);

struct croost_freezer {
    int freeze;   // its `cgroup.freeze`, open for writing
    int events;   // its `cgroup.events`
    int first;    // the first process's pidfd
    uint64_t id;  // its inode number
};

// Asks for a cgroup to be frozen, and looks whether it is: at once, and up to `looks` times more, at most `pause`
// nanoseconds apart. What the last look saw, with CROOST_HAS_FIRST where the first process is seen to be in it; -1 with
// errno where a file can't be used.
int croost_cgroup_freeze(const struct croost_freezer *freezer, int looks, int64_t pause);

// Waits until the descriptor shows one of `events` (POLLIN, …; errors and hang-ups always count), at most
// `nanoseconds`. ETIMEDOUT if it did not.
int croost_wait_for(int descriptor, short events, int64_t nanoseconds);

// Writes what standard output still holds back. EIO where something could not be written before.
int croost_finish_output(void);

// Has `signal` sent to this process when its parent ends, which is the process `parent`. ESRCH where that has ended
// already.
int croost_end_with_parent(int parent, int signal);

// Names the calling thread; 15 bytes of it count.
void croost_name_thread(const char *name);

// O_PATH, which Glibc's Swift module does not show.
extern const int croost_o_path;

// Raises our own soft limit of open files to the hard one. `before` is what it was.
int croost_raise_open_files(uint64_t *before);

// A descriptor that becomes readable when the wall clock is set; the caller's to close.
int croost_clock_watch(int *descriptor);

// Whether the clock was set, once it is readable; it watches on.
int croost_clock_was_set(int descriptor);

// A descriptor that becomes readable when a network link or an address changes; the caller's to close.
int croost_link_watch(int *descriptor);

// A descriptor that becomes readable when the kernel tells of a device; the caller's to close.
int croost_device_watch(int *descriptor);

// Reads what such a descriptor has to tell, until nothing is left: whether any of it holds `word`, or was lost; anything at
// all where `word` is NULL.
int croost_netlink_drain(int descriptor, const char *word);

// Clock readings in nanoseconds.
int64_t croost_monotonic(void);
int64_t croost_boottime(void);
int64_t croost_realtime(void);

// MARK: Transfers

// Sets room on the disk aside for a part of a file, whose length stays as it is.
int croost_reserve(int file, int64_t offset, int64_t length);

// Whether a file lies in memory only, where its room is memory.
int croost_is_in_memory(int file);

// Seconds since 1970 of a date as HTTP's fields have it, in any of the three forms. EINVAL for anything else.
int croost_http_date(const char *text, int64_t *seconds);

// Our environment, ended by NULL. Not to be read while another thread changes it.
char *const *croost_environment(void);

#endif
