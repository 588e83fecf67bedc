import Foundation
import Glibc
import LifeCycleModel

/// An app that makes every attack and prints how each ended, as in `attempt: done`. The outcome is `done`, or the name
/// of the errno, of the signal that ended the attacker, or of the system's error.
enum HostileApp {
    static let identifier = BundleIdentifier.named("org.roost.test.Hostile")
    static let interpreter = "/usr/bin/python3"

    /// Makes the app's bundle in a test's directory. `places` and `numbers` are the targets, by the names in the
    /// attacks.
    static func bundle(
        in system: TestSystem, making attacks: [Attack], places: [String: String], numbers: [String: Int32]
    ) throws -> String {
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
        let program =
            "#!\(interpreter)\n" + named + tools + attacks.map(function).joined()
            + "\nprint(\"\(lastWords)\", flush=True)"
            + "\nsignal.pause()\n"
        try program.write(toFile: bundle + "/hostile", atomically: false, encoding: .utf8)
        chmod(bundle + "/hostile", 0o755)
        for path in [bundle, bundle + "/Info.plist", bundle + "/hostile"] { system.give(path) }
        return bundle
    }

    /// The printed outcomes by attack; nil until the app has made all attacks.
    static func outcomes(in system: TestSystem) -> [String: String]? {
        let lines = system.log(identifier)
        guard lines.contains(lastWords) else { return nil }
        return Dictionary(
            lines.compactMap { line in
                let parts = line.components(separatedBy: ": ")
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { $1 })
    }

    private static let lastWords = "tried everything"

    private static func function(_ attack: Attack) -> String {
        let body = attack.program.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }
            .joined()
        return "\ndef attack():\n\(body)\nattempt(\"\(attack.name)\", attack)\n"
    }

    private static let tools = #"""
        import ctypes, errno, json, mmap, os, platform, resource, signal, socket, struct, subprocess, time

        libc = ctypes.CDLL(None, use_errno=True)
        home = os.environ["HOME"]
        # The numbers of calls that are not the same on every machine.
        numbers = {
            "x86_64": {
                "clone": 56, "syslog": 103, "add_key": 248, "keyctl": 250, "perf_event_open": 298, "bpf": 321,
                "userfaultfd": 323,
            },
            "aarch64": {
                "clone": 220, "syslog": 116, "add_key": 217, "keyctl": 219, "perf_event_open": 241, "bpf": 280,
                "userfaultfd": 282,
            },
        }[platform.machine()]
        numbers |= {"io_uring_setup": 425, "open_tree": 428, "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438}

        class Ended(Exception):
            """The system says why it does not do it, or a signal ended whoever tried."""

        def attempt(name, body):
            try:
                body()
                print(name + ": done", flush=True)
            except OSError as error:
                print(name + ": " + errno.errorcode.get(error.errno, str(error)), flush=True)
            except Ended as error:
                print(name + ": " + str(error), flush=True)
            except Exception as error:
                print(name + ": " + type(error).__name__ + " " + str(error), flush=True)

        def write(path):
            with open(path, "w") as file:
                file.write("x")

        def read(path):
            with open(path, "rb") as file:
                return file.read(4096)

        def check(result):
            if result < 0:
                raise OSError(ctypes.get_errno(), "")
            return result

        def call(name, *arguments):
            return check(libc.syscall(ctypes.c_long(numbers[name]), *arguments))

        def run_and_leave(body):
            try:
                body()
                os._exit(0)
            except OSError as error:
                os._exit(error.errno)
            except Ended as error:
                os.write(words[1], str(error).encode())
                os._exit(255)
            except BaseException:
                os._exit(254)

        words = os.pipe()

        def wait(child):
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if code == 255:
                raise Ended(os.read(words[0], 200).decode())
            if code < 0:
                raise Ended(signal.Signals(-code).name)
            if code > 0:
                raise OSError(code, "")

        def in_child(body):
            """Tries in a child, so that the app itself stays as it is."""
            child = os.fork()
            if child == 0:
                run_and_leave(body)
            wait(child)

        def born_in(place, body):
            """Tries in a child that is born in another cgroup."""
            directory = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
            try:
                arguments = struct.pack("11Q", 0x200000000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, directory)
                child = call("clone3", arguments, len(arguments))
                if child == 0:
                    run_and_leave(body)
            finally:
                os.close(directory)
            wait(child)

        def enter(place):
            with open(place + "/cgroup.procs", "w") as file:
                file.write(str(os.getpid()))

        def command_the_system():
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(5)
                connection.connect(control)
                try:
                    try:
                        known = {"cookie": read(cookie).decode().strip()}
                        call = {"method": "roost.Control.Authenticate", "oneway": True, "parameters": known}
                        connection.sendall(json.dumps(call).encode() + b"\0")
                    except OSError:
                        pass
                    connection.sendall(b'{"method":"roost.Control.List","parameters":{}}\0')
                    answer = connection.recv(65536)
                except (BrokenPipeError, ConnectionResetError):
                    answer = b""
            if answer == b"":
                raise OSError(errno.ECONNREFUSED, "")
            refusal = json.loads(answer.split(b"\0")[0]).get("error")
            if refusal:
                raise Ended(refusal.split(".")[-1])

        """#
}
