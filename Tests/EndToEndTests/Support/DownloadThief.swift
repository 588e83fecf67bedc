import Foundation
import Glibc
import LifeCycleModel
import RoostWire

/// An app that speaks the wire protocol itself, and sends forbidden messages. The app interferes with another app's
/// download by its numbers, and requests addresses that cannot be connected to. The app prints the results of its own
/// downloads.
enum DownloadThief {
    static let identifier = BundleIdentifier.named("org.roost.test.Thief")
    /// Its tasks: a task that names the other app's as the one it resumes, and those of these URLs.
    static let goesOn: Int64 = 1

    /// Makes its bundle. Its requests name its own session `s`, and the other app's session.
    static func bundle(
        in system: TestSystem, against victim: TransferID, named session: String, taking url: String, and urls: [String]
    ) throws -> String {
        let bundle = "\(system.directory)/bundles/Thief.app"
        let built = TestSystem.products.appendingPathComponent("DownloadTestApp")
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        // The app executes the program beside it.
        try FileManager.default.copyItem(atPath: built.path, toPath: bundle + "/thief")
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(identifier)</string>
            <key>CFBundleExecutable</key><string>thief</string>
            </dict></plist>
            """
        try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
        let list = String(decoding: try JSONEncoder().encode(urls), as: UTF8.self)
        let named = """
            app, number, task = \(victim.session.app.rawValue), \(victim.session.number), \(victim.number)
            other, url, urls = "\(session)", "\(url)", \(list)

            """
        try (named + program).write(toFile: bundle + "/program.py", atomically: false, encoding: .utf8)
        for path in ["", "/Info.plist", "/thief", "/program.py"] { system.give(bundle + path) }
        return bundle
    }

    private static let program = #"""
        import json, os, shutil, socket, sys

        token = os.environ["ROOST_TOKEN"]

        def connect():
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(os.environ["ROOST_SOCKET"])
            return connection

        def call(connection, method, parameters, **more):
            message = {"method": "roost.App." + method, "parameters": parameters, **more}
            connection.sendall(json.dumps(message).encode() + b"\0")

        def act(session, kind, **parts):
            call(requests, "Transfer", {"session": session, "act": {"kind": kind, **parts}}, oneway=True)

        callbacks, requests = connect(), connect()
        call(callbacks, "Attach", {"token": token, "lastCallback": 0, "open": [], "phase": "starting"}, more=True)
        call(requests, "Identify", {"token": token})
        networks = {"cellular": True, "expensive": True, "constrained": True}
        configuration = {
            "connectionsPerHost": 6, "fields": [], "isDiscretionary": False, "networks": networks,
            "requestTimeout": 60000000000, "resourceTimeout": 600000000000, "sendsLaunchEvents": True}

        def make(session, number, url, **more):
            request = {"fields": [], "method": "GET", "networks": networks, "url": url}
            act(session, "make", task=number, request=request, **more)
            act(session, "resume", task=number)

        # The other's session by its name, which is not open here; then one of its own by that name.
        for round in range(2):
            for kind in ("cancel", "suspend", "resume"):
                act(other, kind, task=task, **({"keepsPartial": True} if kind == "cancel" else {}))
            act(other, "acknowledge", tasks=[task])
            act(other, "setText", task=task, text="stolen")
            act(other, "invalidateAndCancel")
            act(other, "handled")
            act(other, "open", configuration=configuration)
        act("s", "open", configuration=configuration)
        make("s", 1, url, resumes={"app": app, "session": number, "task": task})
        for index, bad in enumerate(urls):
            make("s", index + 2, bad)
        print("has tried", flush=True)

        rest, done = b"", 0
        while True:
            more = callbacks.recv(65536)
            if not more:
                sys.exit(0)
            *messages, rest = (rest + more).split(b"\0")
            for message in messages:
                parameters = json.loads(message)["parameters"]
                if "callback" in parameters:
                    call(requests, "Acknowledge", {"callback": parameters["callback"]["id"], "open": []}, oneway=True)
                news = parameters.get("transfer", {}).get("news", {})
                if news.get("kind") == "downloaded":
                    shutil.move(os.environ["HOME"] + "/" + news["file"], os.environ["HOME"] + "/Documents/taken")
                    print("took %d" % news["task"], flush=True)
                elif news.get("kind") == "failed":
                    print("failed %d %d" % (news["task"], news["failure"]["code"]), flush=True)
                elif news.get("kind") == "resumed":
                    print("went on %d" % news["task"], flush=True)
                if news.get("kind") in ("downloaded", "failed"):
                    act("s", "acknowledge", tasks=[news["task"]])
                    done += 1
                    if done == 1 + len(urls):
                        print("has received everything", flush=True)
        """#
}
