import CRoost
import Foundation
import LifeCycleModel
import RoostGPS
import Testing

/// `roost-gps` after gpsd has taken it over: its attempts, and the kernel's answers.
@Suite struct ConfinementTests {
    private static let user: UInt32 = 0x5200_0000 + 78

    /// The forbidden attempts. The kernel refuses all with EPERM, unless another error is given.
    private static let refused: [String: Int32] = [
        "to read a file": EPERM, "to open a file by openat2": EPERM, "an internet socket": EPERM,
        "a Unix socket": EPERM,
        "a pair of sockets": EPERM, "to connect elsewhere": EPERM, "to listen": EPERM, "to pass a descriptor": EPERM,
        "a copy of the stream": EPERM, "to become a program": EPERM, "another process": EPERM, "a thread": EPERM,
        "a signal to its parent": EPERM, "a signal to itself": EPERM, "a pidfd": EPERM, "to trace": EPERM,
        "another's limits": EPERM, "its own limits": EPERM, "to write to the log": EPERM, "new code": EPERM,
        "code from data": EPERM, "much memory": ENOMEM,
    ]

    @Test(.enabled("the kernel cannot refuse system calls") { croost_can_refuse_calls() == 0 })
    func forbiddenCallsAreRefused() throws {
        let directory = try TemporaryDirectory()
        let server = try FakeGPSD()
        let rig = try GPSRig(port: server.port, program: try Self.probed(in: directory.path))
        rig.source.setReceiver(true)
        try server.accept()
        // The first read makes all attempts. The library answers over the connection.
        server.say(FakeGPSD.report("8"))
        try server.receive(until: { String(decoding: $0, as: UTF8.self).contains("end=0\n") })
        let said = String(decoding: server.received, as: UTF8.self).split(separator: "\n").dropFirst()
        let found = Dictionary(
            said.map { line in
                let parts = line.split(separator: "=")
                return (String(parts[0]), Int32(parts.last ?? "") ?? -1)
            }, uniquingKeysWith: { $1 })
        for (what, code) in Self.refused {
            #expect(found[what] == code, "\(what): \(found[what] ?? -1) is not \(code)")
        }
        #expect(found.count == Self.refused.count + 1)
        try rig.position(at: 80_000_000)
    }

    /// The process's rights, as other processes see them.
    @Test func itHasNoRights() throws {
        let server = try FakeGPSD()
        let isRoot = geteuid() == 0
        let rig = try GPSRig(port: server.port, user: isRoot ? Self.user : nil)
        rig.source.setReceiver(true)
        try server.accept()
        let process = "/proc/\(try #require(rig.pids.first))"
        let status = try String(contentsOfFile: process + "/status", encoding: .utf8).split(separator: "\n")
        func value(_ name: String) -> String? {
            status.first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
        let user = isRoot ? Self.user : geteuid()
        #expect(value("Uid") == Array(repeating: "\(user)", count: 4).joined(separator: "\t"))
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] { #expect(value(set) == "0000000000000000", "\(set)") }
        if isRoot { #expect(value("CapBnd") == "0000000000000000" && value("Groups") ?? "" == "") }
        #expect(value("NoNewPrivs") == "1" && value("Threads") == "1")
        if croost_can_refuse_calls() == 0 { #expect(value("Seccomp") == "2") }
        #expect(try String(contentsOfFile: process + "/oom_score_adj", encoding: .utf8) == "1000\n")
        let limits = try String(contentsOfFile: process + "/limits", encoding: .utf8).split(separator: "\n")
        func limit(_ name: String) -> [String] {
            limits.first { $0.hasPrefix(name) }?.split(separator: " ").map(String.init).suffix(3).dropLast() ?? []
        }
        #expect(limit("Max data size") == ["\(64 << 20)", "\(64 << 20)"] && limit("Max core file size") == ["0", "0"])
        let files = try FileManager.default.contentsOfDirectory(atPath: process + "/fd").sorted()
        #expect(files == ["0", "1", "2", "3", "4"])
        let open = try files.map { try FileManager.default.destinationOfSymbolicLink(atPath: "\(process)/fd/\($0)") }
        #expect(
            open.prefix(3).allSatisfy { $0 == "/dev/null" } && open.suffix(2).allSatisfy { $0.hasPrefix("socket:") })
    }

    /// The path of a program that runs `roost-gps` with a library that makes the attempts.
    private static func probed(in directory: String) throws -> String {
        let library = directory + "/probe.so"
        try probe.write(toFile: directory + "/probe.c", atomically: false, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library, directory + "/probe.c"]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        let script = """
            #!/bin/sh
            LD_PRELOAD="\(library)" exec "\(GPSRig.program)"
            """
        try GPSRig.write(script, toProgram: directory + "/gps")
        return directory + "/gps"
    }

    private static let probe = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <sched.h>
        #include <signal.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/ptrace.h>
        #include <sys/resource.h>
        #include <sys/socket.h>
        #include <sys/syscall.h>
        #include <netinet/in.h>
        #include <unistd.h>

        static int gpsd;
        static void say(const char *what, long result) {
            char text[200];
            int length = snprintf(text, sizeof text, "%s=%d\\n", what, result < 0 ? errno : 0);
            send(gpsd, text, (size_t)length, 0);
        }
        static int run(void *none) { (void)none; return 0; }
        static void probe(void) {
            say("to read a file", open("/etc/passwd", O_RDONLY));
            long how[3] = { 0 };
            say("to open a file by openat2", syscall(437, AT_FDCWD, "/etc/passwd", how, sizeof how));
            say("an internet socket", socket(AF_INET, SOCK_STREAM, 0));
            say("a Unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
            int pair[2];
            say("a pair of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
            struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = 1 };
            say("to connect elsewhere", connect(gpsd, (struct sockaddr *)&address, sizeof address));
            say("to listen", listen(gpsd, 1));
            char control[CMSG_SPACE(sizeof(int))] = { 0 };
            struct iovec part = { "x", 1 };
            struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control,
                .msg_controllen = sizeof control };
            struct cmsghdr *head = CMSG_FIRSTHDR(&message);
            head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(sizeof gpsd);
            memcpy(CMSG_DATA(head), &gpsd, sizeof gpsd);
            say("to pass a descriptor", sendmsg(3, &message, MSG_DONTWAIT));
            say("a copy of the stream", fcntl(3, F_DUPFD, 10));
            say("to become a program", execl("/bin/true", "true", NULL));
            pid_t child = fork();
            if (child == 0) _exit(0);
            say("another process", child);
            static char stack[65536];
            say("a thread", clone(run, stack + sizeof stack,
                CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, NULL));
            say("a signal to its parent", kill(1, 0));
            say("a signal to itself", syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0));
            say("a pidfd", syscall(SYS_pidfd_open, 1, 0));
            say("to trace", ptrace(PTRACE_TRACEME, 0, 0, 0));
            struct rlimit limit = { 1, 1 };
            say("another's limits", prlimit(1, RLIMIT_NOFILE, NULL, &limit));
            say("its own limits", setrlimit(RLIMIT_NOFILE, &limit));
            say("to write to the log", write(2, "x", 1));
            int all = PROT_READ | PROT_WRITE | PROT_EXEC, own = MAP_PRIVATE | MAP_ANONYMOUS;
            say("new code", mmap(NULL, 4096, all, own, -1, 0) == MAP_FAILED ? -1 : 0);
            void *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, own, -1, 0);
            say("code from data", mprotect(data, 4096, PROT_READ | PROT_EXEC));
            void *large = mmap(NULL, (size_t)80 << 20, PROT_READ | PROT_WRITE, own, -1, 0);
            say("much memory", large == MAP_FAILED ? -1 : 0);
            say("end", 0);
        }
        ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
            static int tried;
            if (descriptor != 3 && !__sync_lock_test_and_set(&tried, 1)) {
                gpsd = descriptor;
                probe();
            }
            return recvfrom(descriptor, bytes, count, flags, NULL, NULL);
        }

        """
}
