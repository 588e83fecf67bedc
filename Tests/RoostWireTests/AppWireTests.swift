import LifeCycleModel
import RoostWire
import Testing

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.dropLast(), as: UTF8.self) }

func message(_ text: String) -> [UInt8] { Array(text.utf8) }

/// `roost.App`: encoded and decoded again, and its text on the way.
@Suite struct AppWireTests {
    static let tasks = [
        BackgroundTask(id: TaskID(1), name: "upload"),
        BackgroundTask(id: TaskID(7), name: "nul \0, line\nfeed, 👩‍👩‍👧 \" \\"),
        BackgroundTask(id: TaskID(.max), name: ""),
    ]

    static let calls: [AppCall] = [
        .attach(token: "t", .new),
        .attach(token: "t", Attachment(lastCallback: CallbackID(9), phase: .falling, open: tasks)),
        .identify(token: String(repeating: "x", count: WireLimits.token)),
        .request(.acknowledge(CallbackID(1), open: [])), .request(.acknowledge(CallbackID(.max), open: tasks)),
        .request(.beginTask(tasks[1])), .request(.endTask(TaskID(3))), .request(.endTask(TaskID(0))),
        .request(.endTask(TaskID(.min))), .request(.setIdleTimerDisabled(true)), .request(.setIdleTimerDisabled(false)),
        .attach(
            token: "t",
            Attachment(
                lastCallback: CallbackID(2), phase: .active, open: [], isIdleTimerDisabled: true, isSceneConnected: true
            )),
        .attach(
            token: "t",
            Attachment(
                lastCallback: CallbackID(9), phase: .background, open: [],
                openEvents: [3, 7].map { OpenEvent(callback: CallbackID($0), kind: .backgroundFetch) },
                notificationActs: 12)),
        .request(.concern(.fetch(.setMinimumInterval(nil)))), .request(.concern(.fetch(.setMinimumInterval(.zero)))),
        .request(.concern(.notification(.setRemoteNotifications(true)))),
        .request(.concern(.notification(.setRemoteNotifications(false)))),
        .request(.concern(.notification(.setRemoteNotifications(true, liftsNewsstandThrottle: true)))),
        .request(.concern(.fetch(.setMinimumInterval(Nanoseconds(.max))))),
        .request(.eventHandled(CallbackID(4), .newData)),
        .request(.eventHandled(CallbackID(4), .noData)), .request(.eventHandled(CallbackID(.max), .failed)),
    ]

    /// Facts that all differ from their defaults.
    static var facts: DeviceFacts {
        var facts = DeviceFacts()
        facts.isProtectedDataAvailable = false
        facts.backgroundRefresh = .denied
        facts.isLowPowerModeEnabled = true
        facts.power = .battery
        facts.batteryLevel = 0
        facts.clockChanges = .max
        return facts
    }

    static let messages: [SystemMessage] =
        [
            .backgroundTime(until: nil), .backgroundTime(until: .seconds(5)), .taskRefused(TaskID(4)),
            .callback(CallbackID(2), .didBecomeActive), .callback(CallbackID(3), .willResignActive),
            .callback(CallbackID(4), .didEnterBackground), .callback(CallbackID(5), .willEnterForeground),
            .callback(CallbackID(6), .expireTasks), .callback(CallbackID(7), .willTerminate),
            .callback(CallbackID(8), .memoryWarning), .callback(CallbackID(9), .disconnectScene),
            .callback(CallbackID(10), .discardScenes([])),
            .callback(CallbackID(13), .concern(.fetch(.performFetch))),
            .callback(CallbackID(11), .discardScenes([SceneSessionID(1), SceneSessionID(2)])),
            .callback(CallbackID(12), .deviceChanged(facts)), .device(DeviceFacts()), .device(facts),
            .restoreIdentifiers(["left", "ré \""]), .restoreIdentifiers([]),
            .input(.text("né \0 👋\n\"")), .input(.touch(x: -1, y: .max)),
        ] + LaunchReason.allCases.map { .callback(CallbackID(1), .launch($0)) }

    @Test(arguments: calls) func callsComeBackAsTheyWere(_ call: AppCall) throws {
        let bytes = call.encoded()
        #expect(bytes.last == 0 && !bytes.dropLast().contains(0))
        let decoded = try VarlinkCall(bytes.dropLast())
        #expect(decoded == call.call)
        #expect(try AppCall(decoded) == call)
    }

    @Test(arguments: messages) func messagesComeBackAsTheyWere(_ message: SystemMessage) throws {
        #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
    }

    @Test func theWireLooksLikeThis() {
        let callback = SystemMessage.callback(CallbackID(1), .launch(.user))
        #expect(
            text(callback.encoded())
                == #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"launch","reason":"user"}}}"#)
        #expect(
            text(SystemMessage.backgroundTime(until: .seconds(1)).encoded())
                == #"{"continues":true,"parameters":{"backgroundTime":{"until":1000000000}}}"#)
        #expect(
            text(AppCall.request(.beginTask(Self.tasks[0])).encoded())
                == #"{"method":"roost.App.BeginTask","oneway":true,"parameters":{"task":{"id":1,"name":"upload"}}}"#)
        #expect(
            text(AppCall.attach(token: "t", .new).encoded())
                == #"{"method":"roost.App.Attach","more":true,"parameters":"#
                + #"{"isIdleTimerDisabled":false,"isSceneConnected":false,"lastCallback":0,"open":[],"phase":"starting","token":"t"}}"#
        )
    }

    @Test func theDeviceLooksLikeThis() {
        let device =
            #"{"backgroundRefresh":"denied","batteryLevel":0,"clockChanges":9223372036854775807,"#
            + #""isLowPowerModeEnabled":true,"isProtectedDataAvailable":false,"power":"battery"}"#
        #expect(
            text(SystemMessage.device(Self.facts).encoded())
                == #"{"continues":true,"parameters":{"device":\#(device)}}"#)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .deviceChanged(Self.facts)).encoded())
                == #"{"continues":true,"parameters":{"callback":{"device":\#(device),"id":3,"kind":"deviceChanged"}}}"#)
        #expect(
            text(SystemMessage.callback(CallbackID(4), .discardScenes([SceneSessionID(2)])).encoded())
                == #"{"continues":true,"parameters":{"callback":{"id":4,"kind":"discardScenes","sessions":[2]}}}"#)
        #expect(
            text(SystemMessage.input(.touch(x: 1500, y: 2)).encoded())
                == #"{"continues":true,"parameters":{"input":{"touch":{"x":1500,"y":2}}}}"#)
        #expect(
            text(AppCall.request(.setIdleTimerDisabled(true)).encoded())
                == #"{"method":"roost.App.SetIdleTimerDisabled","oneway":true,"parameters":{"disabled":true}}"#)
    }

    @Test func eventsLookLikeThis() {
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.fetch(.performFetch))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"event":{"kind":"backgroundFetch"},"id":3,"#
                + #""kind":"handleEvent"}}}"#)
        #expect(
            text(AppCall.request(.eventHandled(CallbackID(3), .noData)).encoded())
                == #"{"method":"roost.App.HandledEvent","oneway":true,"parameters":{"callback":3,"result":"noData"}}"#)
        #expect(
            text(AppCall.request(.concern(.fetch(.setMinimumInterval(.seconds(1))))).encoded())
                == #"{"method":"roost.App.SetMinimumFetchInterval","oneway":true,"#
                + #""parameters":{"interval":1000000000}}"#)
        #expect(
            text(AppCall.request(.concern(.fetch(.setMinimumInterval(nil)))).encoded())
                == #"{"method":"roost.App.SetMinimumFetchInterval","oneway":true,"parameters":{}}"#)
    }

    @Test func aListNeverOutgrowsAMessage() throws {
        let many = (1...WireLimits.tasks).map {
            BackgroundTask(id: TaskID(Int64.max - 5000 + Int64($0)), name: String(repeating: "\0", count: 1024))
        }
        let bytes = AppCall.request(.acknowledge(CallbackID(1), open: many)).encoded()
        #expect(bytes.count <= WireLimits.message)
        guard case .request(.acknowledge(_, let open)) = try AppCall(VarlinkCall(bytes.dropLast())) else {
            Issue.record("not an acknowledgement")
            return
        }
        #expect(open.map(\.id) == many.map(\.id))
    }

    @Test(arguments: AppRefusal.allCases) func refusalsComeBack(_ refusal: AppRefusal) throws {
        let reply = try VarlinkReply(refusal.reply.encoded().dropLast())
        #expect(AppRefusal(reply) == refusal)
        #expect(throws: WireError.unexpectedReply(refusal.rawValue)) { try SystemMessage(reply) }
    }

    @Test func theEnvironmentIsDecodedUnchanged() throws {
        let environment = AppEnvironment(
            socket: "/run/roost/app", token: "abc=def",
            context: LaunchContext(
                reason: .voip, backgroundTime: .seconds(30), isMultitaskingSupported: false,
                sceneSession: SceneSessionID(3), principalClass: "My.\"Application\"", isPrewarmed: true,
                newsstandDownloads: ["1", "\"2\""], keepAliveFloor: .seconds(600)))
        var variables: [String: String] = [:]
        for variable in environment.variables {
            let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
            variables[parts[0]] = parts[1]
        }
        #expect(try AppEnvironment { variables[$0] } == environment)
        #expect(try AppEnvironment { _ in nil } == nil)
        variables["ROOST_TOKEN"] = nil
        #expect(try AppEnvironment { variables[$0] } == nil, "a child process of an app")
        variables["ROOST_TOKEN"] = "t"
        variables["ROOST_LAUNCH"] = "{}"
        #expect(throws: WireError.invalidParameter(field: "reason", problem: "is missing")) {
            try AppEnvironment { variables[$0] }
        }
    }
}
