import CRoost
import Foundation
import LifeCycleModel
import RoostCarrier
import Testing

/// The carrier after a server has taken it over: its attempts, and the kernel's answers.
///
/// A library is loaded into the carrier, and makes all the attempts instead of the first connection.
@Suite struct ConfinementTests {
    private static let user: UInt32 = 0x5200_0000 + 77

    /// The forbidden attempts, and the kernel's errors.
    private static let refused: [String: Int32] = [
        "a Unix socket": EAFNOSUPPORT, "a packet socket": EAFNOSUPPORT,
        "to listen": EPERM, "to pass a descriptor": EPERM,
        "to pass one in many messages": EPERM, "a copy of the stream": EPERM, "to become a program": EPERM,
        "another process": EPERM, "a signal to its parent": EPERM, "a pidfd": EPERM, "to trace": EPERM,
        "another's limits": EPERM, "more memory than a carrier needs": ENOMEM,
    ]
    private static let refusedFiles: [String: Int32] = [
        "to read a secret": EACCES, "to write beside its directory": EACCES, "to read who there is": EACCES,
        "a link in its directory": EACCES, "a pipe in its directory": EACCES,
    ]

    @Test(.enabled("the kernel cannot refuse system calls") { croost_can_refuse_calls() == 0 })
    func aCarrierIsRefusedForbiddenCalls() throws {
        let own = try CarrierRig()
        let library = own.directory + "/probe.so"
        try Self.probe.write(toFile: own.directory + "/probe.c", atomically: false, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library, own.directory + "/probe.c"]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)

        let program = own.directory + "/carry"
        let isRoot = geteuid() == 0
        let rig = try CarrierRig(program: program) { if isRoot { $0.user = Self.user } }
        // The carrier's own uid has to reach its directory.
        for directory in [own.directory, rig.directory] { chmod(directory, 0o755) }
        try "secret".write(toFile: rig.directory + "/secret", atomically: false, encoding: .utf8)
        chmod(rig.directory + "/secret", 0o644)
        let script = """
            #!/bin/sh
            PROBE="\(rig.directory)" LD_PRELOAD="\(library)" exec "\(CarrierRig.program)"
            """
        try CarrierRig.write(script, toProgram: program)

        let server = try BadServer()
        rig.begin(server.url("probed", "size=100000"))
        #expect(try rig.completion() == 100_000, "the carrier still does its work")
        let said = try String(contentsOfFile: rig.directory + "/partial/probed", encoding: .utf8)
        let found = Dictionary(
            said.split(separator: "\n").map { line in
                let parts = line.split(separator: "=")
                return (String(parts[0]), Int32(parts[1]) ?? -1)
            }, uniquingKeysWith: { $1 })
        var expected = Self.refused
        if croost_landlock_abi() >= 1 { expected.merge(Self.refusedFiles) { $1 } }
        expected["its uid"] = isRoot ? Int32(Self.user) : Int32(geteuid())
        for (what, code) in expected { #expect(found[what] == code, "\(what): \(found[what] ?? -1) is not \(code)") }
        #expect(found["its capabilities"] == 0)
        #expect(found["a descriptor that was left to it"] == EBADF)
    }

    private static let probe = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/ptrace.h>
        #include <sys/resource.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        static FILE *out;
        static const char *directory;
        static void say(const char *what, long result) { fprintf(out, "%s=%d\\n", what, result < 0 ? errno : 0); }
        static const char *path(const char *name) {
            static char text[4096];
            snprintf(text, sizeof text, "%s/%s", directory, name);
            return text;
        }
        __attribute__((constructor)) static void leave(void) { fcntl(open("/etc/passwd", O_RDONLY), F_DUPFD, 900); }
        static void probe(void) {
            directory = getenv("PROBE");
            out = fopen(path("partial/probed"), "we");
            if (out == NULL) abort();
            fprintf(out, "its uid=%d\\n", (int)getuid());
            say("a Unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
            say("a packet socket", socket(AF_PACKET, SOCK_RAW, 0));
            say("to listen", listen(socket(AF_INET, SOCK_STREAM, 0), 1));
            char control[CMSG_SPACE(sizeof(int))] = { 0 };
            struct iovec part = { "x", 1 };
            struct mmsghdr message = { .msg_hdr = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
                .msg_controllen = sizeof control } };
            struct cmsghdr *head = CMSG_FIRSTHDR(&message.msg_hdr);
            int passed = 2;
            head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof passed);
            memcpy(CMSG_DATA(head), &passed, sizeof passed);
            say("to pass a descriptor", sendmsg(3, &message.msg_hdr, MSG_DONTWAIT));
            say("to pass one in many messages", sendmmsg(3, &message, 1, MSG_DONTWAIT));
            say("a copy of the stream", fcntl(3, F_DUPFD, 10));
            say("to become a program", execl("/bin/true", "true", NULL));
            pid_t child = fork();
            if (child == 0) _exit(0);
            say("another process", child);
            say("a signal to its parent", kill(getppid(), 0));
            say("a pidfd", syscall(SYS_pidfd_open, getppid(), 0));
            say("to trace", ptrace(PTRACE_ATTACH, getppid(), 0, 0));
            struct rlimit limit = { 1, 1 };
            say("another's limits", prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit));
            void *large = mmap(NULL, (size_t)400 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            say("more memory than a carrier needs", large == MAP_FAILED ? -1 : 0);
            say("a descriptor that was left to it", fcntl(900, F_GETFD));
            say("to read a secret", open(path("secret"), O_RDONLY));
            say("to write beside its directory", open(path("made"), O_WRONLY | O_CREAT, 0600));
            say("to read who there is", open("/etc/passwd", O_RDONLY));
            say("a link in its directory", symlink("/etc/passwd", path("partial/1-1-1.part")));
            say("a pipe in its directory", mkfifo(path("partial/1-1-2.part"), 0600));
            struct { unsigned version; int pid; } asked = { 0x20080522, 0 };
            struct { unsigned effective, permitted, inheritable; } capabilities[2] = { { ~0u, ~0u, ~0u } };
            syscall(SYS_capget, &asked, capabilities);
            fprintf(out, "its capabilities=%d\\n", (int)(capabilities[0].permitted | capabilities[1].permitted));
            fclose(out);
        }
        int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
            static int tried;
            if (!__sync_lock_test_and_set(&tried, 1)) probe();
            return syscall(SYS_connect, descriptor, address, length);
        }

        """
}
