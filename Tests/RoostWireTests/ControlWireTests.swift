import LifeCycleModel
import RoostWire
import Testing

/// `roost.Control` and `org.varlink.service`.
@Suite struct ControlWireTests {
    static let app = BundleIdentifier("org.roost.example.Notepad")
    static let summary: AppSummary? = app.map {
        var summary = AppSummary(
            identifier: $0, name: "Notepad", state: .background, openTasks: AppWireTests.tasks,
            assertions: ["task 1"], isForceQuit: true, isAdopted: false)
        summary.pid = 4711
        summary.launch = 3
        summary.freezer = "frozen 0"
        summary.place = "/sys/fs/cgroup/roost-1a2b/1.3"
        summary.timeRemaining = .seconds(20)
        summary.memory = 12_345_678
        summary.processorTime = .seconds(1)
        summary.lastEnd = "0x8badf00d"
        return summary
    }
    static let line = DecisionLine(
        time: Nanoseconds(1_700_000_000_123_456_789), app: app, launch: 3, kind: "suspending",
        text: "nothing keeps it\nany more", state: .suspended)

    static let transfer = TransferID(session: TransferSessionID(app: AppID(1), number: 2), number: 3)

    static let transferStatus: TransferStatus? = app.map {
        var status = TransferStatus(
            id: transfer, app: $0, session: "s\n", url: "http://a/", state: "waiting", received: 1, expected: 2,
            since: Nanoseconds(3), priority: 500, failures: 4)
        (status.rate, status.wait, status.waitsFor) = (5, "wifi", "a network that costs nothing")
        (status.until, status.failure) = (Nanoseconds(6), "no")
        return status
    }

    @Test func callsComeBackAsTheyWere() throws {
        let app = try #require(Self.app)
        let calls: [ControlCall] =
            [
                .authenticate(cookie: "1a2b"), .install(path: "/home/me/Ä b.app", replacing: true), .uninstall(app),
                .launch(app), .home,
                .wake(app, .locationMonitoring), .wake(app, .bluetoothPeripheral, restoreIdentifiers: ["left", "é"]),
                .quit(app), .list, .why(app), .watch, .restart, .status,
                .switchTo(app),
                .switchTo(nil),
                .dismiss, .accept(app), .accept(nil), .lock, .unlock, .clock, .settings,
                .set(name: "passcode", value: "on", app: nil), .set(name: "backgroundRefresh", value: "off", app: app),
                .send(app, .text("né \0")), .send(app, .touch(x: 1, y: -2)), .transfer(.list(app: nil, after: nil)),
                .transfer(.list(app: app, after: TransferID("1.2.3"))),
                .transfer(.userAction([Self.transfer, Self.transfer], .now)),
            ] + Interruption.allCases.map { .interrupt($0) } + MemoryPressure.allCases.map { .memory($0) }
        for call in calls {
            #expect(try ControlCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
    }

    @Test func repliesComeBackAsTheyWere() throws {
        let (app, summary) = (try #require(Self.app), try #require(Self.summary))
        let status = SystemStatus(
            pid: 1, system: "1a2b", stateDirectory: "/s", policy: "iOS26", mechanism: "cgroup v2", version: "1.0")
        var full = status
        full.foreground = app
        full.isLocked = true
        full.interruption = .notificationCenter
        full.sandbox = "uids"
        let settings = SettingsSummary(settings: [
            .init(name: "passcode", value: "off"), .init(name: "backgroundRefresh", value: "off", app: app),
        ])
        var guarded = status
        guarded.guardian = 2
        let bare = AppSummary(identifier: app, name: "N")
        let pairs: [(ControlCall, ControlReply)] = [
            (.install(path: "/a", replacing: false), .installed(summary, notes: ["n"], decisions: [Self.line])),
            (.launch(app), .decisions([Self.line])), (.home, .decisions([])), (.list, .apps([summary, bare])),
            (.watch, .decision(Self.line)), (.status, .status(status)),
            (.status, .status(full)), (.settings, .settings(settings)), (.lock, .decisions([Self.line])),
            (.switchTo(nil), .decisions([])), (.send(app, .text("a")), .decisions([Self.line])),
            (.set(name: "n", value: "v", app: nil), .decisions([Self.line])), (.memory(.warning), .decisions([])),
            (.status, .status(guarded)), (.restart, .restarting), (.authenticate(cookie: ""), .authenticated),
            (.home, .notAuthenticated),
            (
                .transfer(.list(app: nil, after: nil)),
                .transfers(TransferPage(transfers: [try #require(Self.transferStatus)], isLast: false))
            ),
            (.transfer(.userAction([Self.transfer], .pause)), .transferred(1, decisions: [Self.line])),
            (.why(app), .decisions([DecisionLine(time: .zero, app: nil, kind: "k", text: "")])),
        ]
        for (call, reply) in pairs {
            let decoded = try VarlinkReply(reply.encoded().dropLast())
            #expect(decoded.continues == (call == .watch))
            #expect(try ControlReply(decoded, to: call) == reply)
        }
        for code in ControlFailure.Code.allCases {
            let reply = ControlReply.failed(ControlFailure(code: code, message: "no \"such\" app"))
            #expect(try ControlReply(VarlinkReply(reply.encoded().dropLast()), to: .home) == reply)
        }
    }

    @Test func theWireLooksLikeThis() throws {
        let app = try #require(Self.app)
        #expect(
            text(ControlCall.wake(app, .locationMonitoring).encoded())
                == #"{"method":"roost.Control.Wake","parameters":"#
                + #"{"app":"org.roost.example.Notepad","reason":"locationMonitoring"}}"#)
        #expect(
            text(ControlReply.apps([AppSummary(identifier: app, name: "N")]).encoded())
                == #"{"parameters":{"apps":[{"allowsBackgroundRefresh":true,"assertions":[],"identifier":"org.roost.example.Notepad","#
                + #""isAdopted":false,"isForceQuit":false,"modes":[],"name":"N","openTasks":[],"state":"notRunning","#
                + #""usesScenes":false}]}}"#)
        #expect(
            text(ControlReply.failed(ControlFailure(code: .noSuchApp, message: "m")).encoded())
                == #"{"error":"roost.Control.Failed","parameters":{"code":"noSuchApp","message":"m"}}"#)
    }

    @Test func theDevicesCallsLookLikeThis() throws {
        let app = try #require(Self.app)
        #expect(
            text(ControlCall.interrupt(.call).encoded())
                == #"{"method":"roost.Control.Interrupt","parameters":{"kind":"call"}}"#)
        #expect(
            text(ControlCall.switchTo(nil).encoded()) == #"{"method":"roost.Control.Switch","parameters":{}}"#)
        #expect(
            text(ControlCall.set(name: "power", value: "battery", app: nil).encoded())
                == #"{"method":"roost.Control.Set","parameters":{"name":"power","value":"battery"}}"#)
        #expect(
            text(ControlCall.send(app, .text("a")).encoded())
                == #"{"method":"roost.Control.Send","parameters":{"app":"org.roost.example.Notepad","input":{"text":"a"}}}"#
        )
    }

    @Test func theCallsAboutTransfersLookLikeThis() throws {
        #expect(
            text(ControlCall.transfer(.list(app: nil, after: Self.transfer)).encoded())
                == #"{"method":"roost.Control.Transfers","parameters":{"after":"1.2.3"}}"#)
        #expect(
            text(ControlCall.transfer(.userAction([Self.transfer], .pause)).encoded())
                == #"{"method":"roost.Control.Transfer","parameters":{"action":"pause","ids":["1.2.3"]}}"#)
    }

    @Test(arguments: [
        (#"{"ids":[],"action":"pause"}"#, "ids"), (#"{"action":"pause"}"#, "ids"),
        (#"{"ids":"1.1.1","action":"now"}"#, "ids"),
        (#"{"ids":["1.1"],"action":"now"}"#, "ids[0]"), (#"{"ids":["1.1.1",7],"action":"now"}"#, "ids[1]"),
        (#"{"ids":["1.1.1"]}"#, "action"), (#"{"ids":["1.1.1"],"action":"faster"}"#, "action"),
    ]) func wrongCallsAboutTransfers(parameters: String, field: String) throws {
        let call = try VarlinkCall(message(#"{"method":"roost.Control.Transfer","parameters":\#(parameters)}"#))
        do {
            _ = try ControlCall(call)
            Issue.record("\(parameters) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    // MARK: org.varlink.service

    private let service = VarlinkService(version: "1.2", interfaces: [.app, .control])

    private func ask(_ json: String) throws -> String {
        text(try #require(try service.reply(to: VarlinkCall(message(json)))).encoded())
    }

    @Test func theServiceDescribesItself() throws {
        #expect(
            try ask(#"{"method":"org.varlink.service.GetInfo"}"#)
                == #"{"parameters":{"interfaces":["org.varlink.service","roost.App","roost.Control"],"#
                + #""product":"roost","url":"","vendor":"Roost","version":"1.2"}}"#)
        let description = try ask(
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"roost.App"}}"#)
        #expect(description.contains("interface roost.App") && description.contains("method Attach"))
        for interface in [VarlinkInterface.app, .control, .service] {
            #expect(interface.description.contains("\ninterface \(interface.name)\n"))
        }
        #expect(
            try ask(#"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"no"}}"#)
                == #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"no"}}"#)
        #expect(throws: WireError.unknownMethod("org.varlink.service.No")) {
            try ask(#"{"method":"org.varlink.service.No"}"#)
        }
        #expect(try service.reply(to: VarlinkCall(message(#"{"method":"roost.App.Attach"}"#))) == nil)
    }

    @Test(arguments: [
        VarlinkFailure.interfaceNotFound("a"), .methodNotFound("b"), .methodNotImplemented("c"), .invalidParameter("d"),
    ]) func standardErrorsComeBack(_ failure: VarlinkFailure) throws {
        #expect(try VarlinkFailure(VarlinkReply(failure.reply.encoded().dropLast())) == failure)
    }

    @Test func everyWireErrorHasAStandardError() {
        #expect(VarlinkFailure(.unknownMethod("a.B")) == .methodNotFound("a.B"))
        #expect(VarlinkFailure(.unknownInterface("a")) == .interfaceNotFound("a"))
        #expect(VarlinkFailure(.invalidParameter(field: "open[1].id", problem: "")) == .invalidParameter("open[1].id"))
        #expect(VarlinkFailure(.notUTF8) == .invalidParameter("message"))
    }
}
