import Foundation
import Glibc
import LifeCycleModel

/// An app that tries what no app may, and prints how each attempt ended: `attempt: done`, or the name of the errno.
struct HostileApp {
    static let identifier = BundleIdentifier.named("org.roost.test.Hostile")
    static let interpreter = "/usr/bin/python3"

    /// Makes its bundle in a test's directory; `places` and `numbers` are what it attacks, by the names the program has
    /// for them.
    static func bundle(in system: TestSystem, places: [String: String], numbers: [String: Int32]) throws -> String {
        let bundle = "\(system.directory)/bundles/Hostile.app"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>hostile</string>
            </dict></plist>
            """
        try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
        let named =
            places.sorted { $0.key < $1.key }.map { "\($0.key) = \"\($0.value)\"\n" }.joined()
            + numbers.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)\n" }.joined()
        try ("#!\(interpreter)\n" + named + program).write(
            toFile: bundle + "/hostile", atomically: false, encoding: .utf8)
        chmod(bundle + "/hostile", 0o755)
        for path in [bundle, bundle + "/Info.plist", bundle + "/hostile"] { system.give(path) }
        return bundle
    }

    /// What it has printed, by attempt; nil until it has tried everything.
    static func results(in system: TestSystem) -> [String: String]? {
        let lines = system.log(identifier)
        guard lines.contains("tried everything") else { return nil }
        return Dictionary(
            lines.compactMap { line in
                let parts = line.components(separatedBy: ": ")
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { $1 })
    }

    private static let program = #"""
        import ctypes, errno, os, resource, signal, socket, subprocess, time

        libc = ctypes.CDLL(None, use_errno=True)

        def attempt(name, body):
            try:
                body()
                print(name + ": done", flush=True)
            except OSError as error:
                print(name + ": " + errno.errorcode.get(error.errno, str(error)), flush=True)
            except Exception as error:
                print(name + ": " + type(error).__name__, flush=True)

        def write(path):
            with open(path, "w") as file:
                file.write("x")

        def read(path):
            with open(path, "rb") as file:
                file.read(1)

        def call(result):
            if result < 0:
                raise OSError(ctypes.get_errno(), "")

        home = os.environ["HOME"]
        attempt("write in the container", lambda: write(home + "/Documents/mine"))
        attempt("make a link out of the container", lambda: os.symlink(state, home + "/Documents/out"))
        attempt("write through the link", lambda: write(home + "/Documents/out/x"))
        attempt("write beside the container", lambda: write(home + "/../x"))

        def write_in_tmp():
            path = "/tmp/roost-hostile-%d" % os.getpid()
            write(path)
            os.unlink(path)

        attempt("write in /tmp", write_in_tmp)
        attempt("write its own program", lambda: write(__file__))
        attempt("read another container", lambda: read(victim + "/Documents/secret"))
        attempt("list the containers", lambda: os.listdir(state + "/containers"))
        attempt("read the store", lambda: read(state + "/store.db"))
        attempt("read its log", lambda: read(state + "/logs/org.roost.test.Hostile.log"))
        attempt("read a person's file", lambda: read(person))
        attempt("read a system file", lambda: read("/etc/passwd"))
        attempt("signal another app", lambda: os.kill(other, 0))
        attempt("signal the supervisor", lambda: os.kill(supervisor, 0))
        attempt("trace another app", lambda: call(libc.ptrace(16, other, 0, 0)))
        attempt("read the supervisor's environment", lambda: read("/proc/%d/environ" % supervisor))
        attempt("write to the supervisor's memory", lambda: open("/proc/%d/mem" % supervisor, "r+b").close())

        def become_root():
            if os.geteuid() == 0:
                raise OSError(errno.EALREADY, "")
            os.setuid(0)

        attempt("become root", become_root)

        def set_user_program():
            program = home + "/Documents/set-uid"
            # The test puts it there while this runs; the attacker has nothing better to do than to look.
            while not os.path.exists(program):
                time.sleep(0.01)
            said = subprocess.run([program, "-u"], capture_output=True, text=True).stdout.strip()
            if said != str(os.getuid()):
                return
            raise OSError(errno.EPERM, "")

        attempt("run a set-uid program", set_user_program)

        def mount():
            place = (home + "/Library").encode()
            call(libc.mount(b"none", place, b"tmpfs", 0, None))
            call(libc.umount(place))

        attempt("mount", mount)

        def control_socket():
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(5)
                connection.connect(control)
                try:
                    connection.send(b'{"method":"roost.Control.List","parameters":{}}\0')
                    answer = connection.recv(1)
                except (BrokenPipeError, ConnectionResetError):
                    answer = b""
                if answer == b"":
                    raise OSError(errno.ECONNREFUSED, "")

        attempt("use the control socket", control_socket)

        def enter(place):
            with open(place + "/cgroup.procs", "w") as file:
                file.write(str(os.getpid()))

        def leave_cgroup():
            with open("/proc/self/cgroup") as file:
                own = [line[3:].strip() for line in file if line.startswith("0::")]
            enter(cgroup)
            # Where it may, it comes back: what is tried next is to be tried from within.
            enter(cgroups + own[0])

        attempt("move to another cgroup", leave_cgroup)

        def open_files():
            kept = []
            try:
                for _ in range(5000):
                    kept.append(os.open("/dev/null", os.O_RDONLY))
            finally:
                for file in kept:
                    os.close(file)

        attempt("open 5000 files", open_files)

        def large_file():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            with open(home + "/tmp/large", "wb") as file:
                file.truncate(5 << 30)
            os.unlink(home + "/tmp/large")

        attempt("make a file of 5 GiB", large_file)
        attempt("raise its limits", lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)))

        def forks():
            children = []
            gate, end = os.pipe()
            try:
                for _ in range(1500):
                    child = os.fork()
                    if child == 0:
                        os.close(end)
                        os.read(gate, 1)
                        os._exit(0)
                    children.append(child)
            finally:
                os.close(end)
                for child in children:
                    os.waitpid(child, 0)

        attempt("have 1500 processes", forks)
        print("tried everything", flush=True)
        signal.pause()
        """#
}
