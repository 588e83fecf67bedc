import Foundation

/// The time from a request to the system until the app's callback. The yardstick is a bare launch of the same app in
/// the same round. For a push also from the start of the command `roost push`.
struct WakesBenchmark {
    let bench: Bench
    static let rounds = 20

    func run() throws -> [Measurement] {
        let program = "\(bench.programs)/Callbacks"
        let system = try RunningSystem(bench, name: "wakes", settings: ["silentPushes=1000"])
        defer { system.end() }
        let app = try WokenApp(
            system, try system.install("woken", executable: program, modes: ["fetch", "remote-notification"]))
        defer { app.control.close() }
        // The user never opens this app, so nothing is prewarmed for them.
        let device = try RunningSystem(bench, name: "wakes-boot")
        defer { device.end() }
        let phone = try device.install("phone", executable: program, modes: ["voip"])
        // A first round warms up the caches.
        _ = try round(app)
        var rounds: [Times] = []
        for _ in 0..<Self.rounds {
            var times = try round(app)
            times.boot = try boot(device, phone)
            rounds.append(times)
        }
        func measured(_ what: String, _ time: (Times) -> Double) -> Measurement {
            Measurement(
                what, unit: "ms", rounds: rounds.map { (time($0) / 1e6, $0.launch / 1e6) }, against: "a bare launch")
        }
        return [
            Measurement("a bare launch", unit: "ms", rounds: rounds.map { $0.launch / 1e6 }),
            measured("a push, the app is gone") { $0.pushGone },
            measured("suspended") { $0.pushSuspended },
            measured("by the command, the app is gone") { $0.commandGone },
            measured("suspended") { $0.commandSuspended },
            measured("a fetch, the app is gone") { $0.fetchGone },
            measured("suspended") { $0.fetchSuspended },
            measured("a tap on a notification, the app is gone") { $0.tapGone },
            measured("suspended") { $0.tapSuspended },
            measured("the device's start, from the start of the service on") { $0.boot },
        ]
    }

    /// The times of one round, in nanoseconds.
    private struct Times {
        var launch = 0.0
        var pushGone = 0.0
        var pushSuspended = 0.0
        var commandGone = 0.0
        var commandSuspended = 0.0
        var fetchGone = 0.0
        var fetchSuspended = 0.0
        var tapGone = 0.0
        var tapSuspended = 0.0
        var boot = 0.0
    }

    /// A round, which begins and ends while the app is not running.
    private func round(_ app: WokenApp) throws -> Times {
        var times = Times()
        times.launch = try app.time("launched", after: "Launch")
        try app.leave()
        try app.kill()
        let payload = #"{"aps":{"content-available":1}}"#
        let push = ["payload": payload]
        times.pushGone = try app.time("pushed", after: "Push", push)
        try app.wait(toBe: "suspended")
        times.pushSuspended = try app.time("pushed", after: "Push", push)
        try app.wait(toBe: "suspended")
        try app.kill()
        times.commandGone = try app.time("pushed", afterPush: payload)
        try app.wait(toBe: "suspended")
        times.commandSuspended = try app.time("pushed", afterPush: payload)
        try app.wait(toBe: "suspended")
        try app.kill()
        let fetch = ["reason": "backgroundFetch"]
        times.fetchGone = try app.time("fetching", after: "Wake", fetch)
        try app.wait(toBe: "suspended")
        times.fetchSuspended = try app.time("fetching", after: "Wake", fetch)
        try app.wait(toBe: "suspended")
        try app.kill()
        times.tapGone = try app.time("launched", answering: try app.shown())
        try app.leave()
        times.tapSuspended = try app.time("tapped", answering: try app.shown())
        try app.leave()
        try app.kill()
        return times
    }

    private func boot(_ device: RunningSystem, _ phone: String) throws -> Double {
        func launches() -> [Double] { Programs.figures(in: device.log(of: phone)).compactMap { $0["launched"] } }
        let before = launches().count
        let begun = try device.restartDevice()
        let launched = try Programs.wait("the app that listens for calls", seconds: 15) {
            launches().dropFirst(before).first
        }
        try device.wait(for: [phone], toBe: "suspended")
        return launched - begun
    }
}

/// An app that prints the times of its callbacks, with a connection to the system's control socket.
private struct WokenApp {
    let system: RunningSystem
    let app: String
    let control: UnixSocket

    init(_ system: RunningSystem, _ app: String) throws {
        self.system = system
        self.app = app
        control = try system.connect()
    }

    /// The nanoseconds from a request to the app's callback.
    func time(_ callback: String, after method: String, _ parameters: [String: String] = [:]) throws -> Double {
        try time(
            callback,
            after: try UnixSocket.call("roost.Control.\(method)", parameters.merging(["app": app]) { $1 }))
    }

    /// The nanoseconds from a tap on a notification to the app's callback.
    func time(_ callback: String, answering number: Int) throws -> Double {
        try time(
            callback,
            after: #"{"method":"roost.Control.AnswerNotification","parameters":"#
                + #"{"app":"\#(app)","number":\#(number),"action":"tap"}}"#)
    }

    /// The nanoseconds from the start of the command `roost push` to the app's callback.
    func time(_ callback: String, afterPush payload: String) throws -> Double {
        let file = "\(system.directory)/payload.json"
        try payload.write(toFile: file, atomically: true, encoding: .utf8)
        return try time(callback) { _ = try system.command("push", app, "--payload", file) }
    }

    private func time(_ callback: String, after request: String) throws -> Double {
        try time(callback) { try control.tell(request) }
    }

    private func time(_ callback: String, after act: () throws -> Void) throws -> Double {
        let before = calls(callback).count
        // By then the work of the act before is done.
        usleep(100_000)
        let asked = Programs.monotonic
        try act()
        return try Programs.wait("the app to be \(callback)", seconds: 10) {
            calls(callback).dropFirst(before).first
        } - asked
    }

    private var lines: [[String: Double]] { Programs.figures(in: system.log(of: app)) }

    private func calls(_ callback: String) -> [Double] { lines.compactMap { $0[callback] } }

    /// Goes to the home screen, and waits until the app is suspended and has a displayed notification.
    func leave() throws {
        try wait(toBe: "active")
        try control.tell(try UnixSocket.call("roost.Control.Home"))
        try wait(toBe: "suspended")
        _ = try shown()
    }

    /// Ends the app with SIGKILL, as if it had crashed.
    func kill() throws {
        guard let pid = lines.last?["pid"] else { throw BenchError("\(app) has said nothing") }
        Glibc.kill(pid_t(pid), SIGKILL)
        try wait(toBe: "notRunning")
    }

    private struct Reply<Parameters: Decodable>: Decodable { let parameters: Parameters }

    private func ask<Parameters: Decodable>(_ call: String, _: Parameters.Type) throws -> Parameters {
        try JSONDecoder().decode(Reply<Parameters>.self, from: Data(try control.tell(call).utf8)).parameters
    }

    func wait(toBe state: String) throws {
        struct List: Decodable {
            struct App: Decodable { let identifier, state: String }
            let apps: [App]
        }
        _ = try Programs.wait("\(app) to be \(state)", seconds: 30) { () -> Bool? in
            let all = try ask(try UnixSocket.call("roost.Control.List"), List.self).apps
            return all.contains { $0.identifier == app && $0.state == state } ? true : nil
        }
    }

    /// The number of its newest displayed notification.
    func shown() throws -> Int {
        struct List: Decodable {
            struct Notification: Decodable {
                let number: Int
                let state: String
            }
            let notifications: [Notification]
        }
        let call = try UnixSocket.call("roost.Control.Notifications", ["app": app])
        return try Programs.wait("a notification to be shown", seconds: 10) {
            try ask(call, List.self).notifications.filter { $0.state == "shown" }.map(\.number).max()
        }
    }
}
