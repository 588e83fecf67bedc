import Foundation
import Glibc
import LifeCycleModel
import RoostWire

/// A Python program that attacks the system, either as an app that speaks the wire protocol itself, or as a process of
/// the system's user.
///
/// The program can use `connect(path)`, `call(connection, method, parameters)`, and the sockets `apps` and `control`.
/// As an app it also has `identify()`, which returns its connection for requests. The attacker reports its progress by
/// lines, which tests wait for.
enum Attacker {
    static let identifier = BundleIdentifier.named("org.roost.test.Attacker")
    static let interpreter = "/usr/bin/python3"

    /// The reason why this machine offers no attacker; nil if it offers one.
    static var obstacle: String? { access(interpreter, X_OK) == 0 ? nil : "there is no \(interpreter)" }

    /// Installs the app and opens it.
    static func launch(_ program: String, in system: TestSystem) throws {
        let bundle = "\(system.directory)/bundles/Attacker.app"
        let built = TestSystem.products.appendingPathComponent("DownloadTestApp")
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        // The app executes the program beside it.
        try FileManager.default.copyItem(atPath: built.path, toPath: bundle + "/attacker")
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>attacker</string>
            </dict></plist>
            """
        try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
        try text(program, in: system).write(toFile: bundle + "/program.py", atomically: false, encoding: .utf8)
        for path in ["", "/Info.plist", "/attacker", "/program.py"] { system.give(bundle + path) }
        try system.tell(.install(path: bundle, replacing: false))
        try system.tell(.launch(identifier))
    }

    /// Starts the process. Its lines go to the file `output`.
    static func start(_ program: String, in system: TestSystem, output: String) throws -> ChildProcess {
        let file = "\(system.directory)/attack-\(UUID().uuidString.prefix(8)).py"
        try text(program, in: system).write(toFile: file, atomically: false, encoding: .utf8)
        system.give(file)
        try Data().write(to: URL(fileURLWithPath: output))
        system.follow(output)
        return try ChildProcess([interpreter, file], environment: system.environment, output: output)
    }

    private static func text(_ program: String, in system: TestSystem) -> String {
        "apps, control = \"\(system.appSocket)\", \"\(system.controlSocket)\"\n" + means + program
    }

    private static let means = #"""
        import array, errno, json, os, select, signal, socket, struct, sys, threading, time

        def connect(path):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
            return connection

        def message(method, parameters={}, **more):
            return json.dumps({"method": method, "parameters": parameters, **more}).encode() + b"\0"

        def call(connection, method, parameters={}, **more):
            connection.sendall(message(method, parameters, **more))

        def answer(connection):
            said = b""
            while not said.endswith(b"\0"):
                more = connection.recv(65536)
                if not more:
                    return None
                said += more
            return json.loads(said[:-1])

        callbacks, requests = None, None

        def acknowledge():
            rest = b""
            while True:
                more = callbacks.recv(65536)
                if not more:
                    return
                *messages, rest = (rest + more).split(b"\0")
                for said in messages:
                    parameters = json.loads(said)["parameters"]
                    if "callback" in parameters:
                        try:
                            call(requests, "roost.App.Acknowledge",
                                 {"callback": parameters["callback"]["id"], "open": []}, oneway=True)
                        except OSError:
                            return

        def identify():
            global callbacks, requests
            callbacks, requests = connect(apps), connect(apps)
            token = os.environ["ROOST_TOKEN"]
            call(callbacks, "roost.App.Attach",
                 {"token": token, "lastCallback": 0, "open": [], "phase": "starting"}, more=True)
            call(requests, "roost.App.Identify", {"token": token})
            answer(requests)
            threading.Thread(target=acknowledge, daemon=True).start()
            return requests

        def tell(text):
            print(text, flush=True)


        """#
}
