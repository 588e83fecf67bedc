import LifeCycleModel
import RoostWire
import Testing

/// Invalid messages of a peer: each gets an error that names the fault, and does no harm.
@Suite struct HostileTests {
    private func decode(_ json: String) throws -> AppCall { try AppCall(VarlinkCall(message(json))) }

    private func field(_ json: String) -> String? {
        do {
            _ = try decode(json)
            return nil
        } catch WireError.invalidParameter(let field, _) {
            return field
        } catch {
            return "\(error)"
        }
    }

    static let wrongFields: [(String, String)] = [
        (#"{"parameters":{}}"#, "method"),
        (#"{"method":7}"#, "method"),
        (#"{"method":"Attach"}"#, "method"),
        (#"{"method":"roost.App.Identify","more":1}"#, "more"),
        (#"{"method":"roost.App.EndTask","more":true,"oneway":true,"parameters":{"task":1}}"#, "more"),
        (#"{"method":"roost.App.Attach","parameters":{"token":"t"}}"#, "more"),
        (#"{"method":"roost.App.Identify"}"#, "token"),
        (#"{"method":"roost.App.Identify","parameters":null}"#, "token"),
        (#"{"method":"roost.App.Identify","parameters":[]}"#, "parameters"),
        (#"{"method":"roost.App.Identify","parameters":{"token":""}}"#, "token"),
        (#"{"method":"roost.App.Identify","parameters":{"token":null}}"#, "token"),
        (#"{"method":"roost.App.EndTask","parameters":{"task":"1"}}"#, "task"),
        (#"{"method":"roost.App.EndTask","parameters":{"task":1.5}}"#, "task"),
        (#"{"method":"roost.App.EndTask","parameters":{"task":99999999999999999999}}"#, "task"),
        (#"{"method":"roost.App.BeginTask","parameters":{"task":{"id":0,"name":"a"}}}"#, "task.id"),
        (#"{"method":"roost.App.BeginTask","parameters":{"task":{"id":1}}}"#, "task.name"),
        (#"{"method":"roost.App.Acknowledge","parameters":{"callback":0,"open":[]}}"#, "callback"),
        (#"{"method":"roost.App.Acknowledge","parameters":{"callback":4294967296,"open":[]}}"#, "callback"),
        (#"{"method":"roost.App.Acknowledge","parameters":{"callback":1}}"#, "open"),
        (
            #"{"method":"roost.App.Acknowledge","parameters":{"callback":1,"open":[{"id":1,"name":"a"},{"id":1,"name":"a"}]}}"#,
            "open[1].id"
        ),
        (
            #"{"method":"roost.App.Acknowledge","parameters":{"callback":1,"open":[{"id":2,"name":"a"},{"id":1,"name":7}]}}"#,
            "open[1].name"
        ),
        (
            #"{"method":"roost.App.Attach","more":true,"parameters":{"token":"t","lastCallback":0,"phase":"dead","open":[]}}"#,
            "phase"
        ),
        (
            #"{"method":"roost.App.Attach","more":true,"parameters":{"token":"t","lastCallback":-1,"phase":"active","open":[]}}"#,
            "lastCallback"
        ),
        (#"{"method":"roost.App.SetIdleTimerDisabled"}"#, "disabled"),
        (#"{"method":"roost.App.SetIdleTimerDisabled","parameters":{"disabled":1}}"#, "disabled"),
        (#"{"method":"roost.App.SetIdleTimerDisabled","parameters":{"disabled":"true"}}"#, "disabled"),
        (#"{"method":"roost.App.SetIdleTimerDisabled","parameters":{"disabled":null}}"#, "disabled"),
        (
            #"{"method":"roost.App.Attach","more":true,"parameters":{"token":"t","lastCallback":0,"phase":"active","open":[],"isSceneConnected":"yes"}}"#,
            "isSceneConnected"
        ),
        (
            #"{"method":"roost.App.Attach","more":true,"parameters":{"token":"t","lastCallback":0,"phase":"active","open":[],"isIdleTimerDisabled":[]}}"#,
            "isIdleTimerDisabled"
        ),
        (#"{"method":"roost.App.HandledEvent","parameters":{"callback":0,"result":"newData"}}"#, "callback"),
        (#"{"method":"roost.App.HandledEvent","parameters":{"callback":1,"result":"news"}}"#, "result"),
        (#"{"method":"roost.App.HandledEvent","parameters":{"callback":1}}"#, "result"),
        (#"{"method":"roost.App.SetMinimumFetchInterval","parameters":{"interval":-1}}"#, "interval"),
        (#"{"method":"roost.App.SetMinimumFetchInterval","parameters":{"interval":1.5}}"#, "interval"),
        (#"{"method":"roost.App.SetLocationUpdates","parameters":{"distanceFilter":-1}}"#, "distanceFilter"),
        (#"{"method":"roost.App.SetLocationUpdates","parameters":{"distanceFilter":"all"}}"#, "distanceFilter"),
        (
            #"{"method":"roost.App.SetLocationUpdates","parameters":{"distanceFilter":0,"allowsBackground":1}}"#,
            "allowsBackground"
        ),
        (#"{"method":"roost.App.MonitorLocationChanges","parameters":{}}"#, "wanted"),
        (#"{"method":"roost.App.MonitorLocationRegion","parameters":{}}"#, "region.identifier"),
        (region(radius: "0"), "region"), (region(radius: "10000001"), "region"),
        (region(radius: "-1"), "region.radius"),
        (region(radius: "1e300"), "region.radius"), (region(latitude: "900000001"), "region"),
        (region(longitude: "2147483648"), "region.longitude"),
        (region(identifier: String(repeating: "x", count: 1025)), "region.identifier"),
        (#"{"method":"roost.App.StopLocationRegion","parameters":{}}"#, "identifier"),
        (#"{"method":"roost.App.RequestLocationPermission","parameters":{"always":1}}"#, "always"),
        (
            attach(#"[{"callback":2,"kind":"backgroundFetch"},{"callback":2,"kind":"backgroundFetch"}]"#),
            "openEvents[1].callback"
        ),
        (attach(#"[{"callback":0,"kind":"backgroundFetch"}]"#), "openEvents[0].callback"),
        (attach(#"[{"callback":1,"kind":"whim"}]"#), "openEvents[0].kind"),
        (attach(#"{}"#), "openEvents"),
        (attach("[" + Array(repeating: "{}", count: OpenEvent.most + 1).joined(separator: ",") + "]"), "openEvents"),
    ]

    /// A text of this many bytes.
    private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func texts(_ count: Int) -> String {
        Array(repeating: #""a""#, count: count).joined(separator: ",")
    }

    private static func wake(restoring identifiers: String) -> String {
        #"{"method":"roost.Control.Wake","parameters":"#
            + #"{"app":"a","reason":"bluetoothCentral","restoreIdentifiers":[\#(identifiers)]}}"#
    }

    private static func attach(_ events: String) -> String {
        #"{"method":"roost.App.Attach","more":true,"parameters":{"token":"t","lastCallback":9,"phase":"background","#
            + #""open":[],"openEvents":\#(events)}}"#
    }

    /// An attachment of an earlier version, without the newer fields, is still understood.
    @Test func anAttachmentOfBefore() throws {
        let json =
            #"{"method":"roost.App.Attach","more":true,"parameters":{"token":"t","lastCallback":0,"phase":"starting","open":[]}}"#
        #expect(try decode(json) == .attach(token: "t", .new))
    }

    @Test(arguments: wrongFields) func theErrorNamesTheField(_ json: String, _ expected: String) {
        #expect(field(json) == expected)
    }

    @Test func namesAndCountsHaveLimits() {
        let name = String(repeating: "é", count: 513)
        #expect(
            field(#"{"method":"roost.App.BeginTask","parameters":{"task":{"id":1,"name":"\#(name)"}}}"#) == "task.name")
        let tasks = (1...4097).map { #"{"id":\#($0),"name":""}"# }.joined(separator: ",")
        #expect(field(#"{"method":"roost.App.Acknowledge","parameters":{"callback":1,"open":[\#(tasks)]}}"#) == "open")
        let token = String(repeating: "x", count: 257)
        #expect(field(#"{"method":"roost.App.Identify","parameters":{"token":"\#(token)"}}"#) == "token")
    }

    struct Garbage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }
    }

    static let garbage: [Garbage] = [
        Garbage("empty", []), Garbage("a word", message("hello")), Garbage("a number", message("1")),
        Garbage("a list", message("[]")),
        Garbage("a string", message(#""{}""#)), Garbage("unfinished", message(#"{"method":"#)),
        Garbage("two objects", message("{}{}")),
        Garbage("a BOM", [0xef, 0xbb, 0xbf] + message("{}")),
        Garbage("UTF-16", [0xff, 0xfe, 0x7b, 0x22, 0x7d]),
        Garbage("a lone surrogate", message(#"{"method":"a.\ud800"}"#)),
        Garbage("bad UTF-8", message(#"{"method":"a."#) + [0xc3, 0x28] + message(#""}"#)),
        Garbage("overlong UTF-8", message(#"{"method":"a."#) + [0xc0, 0x80] + message(#""}"#)),
        Garbage("a NUL", message(#"{"method":"a."#) + [0] + message(#""}"#)),
        Garbage("a comment", message(#"{/* */"method":"a.B"}"#)), Garbage("NaN", message(#"{"method":NaN}"#)),
        Garbage("many braces", [UInt8](repeating: UInt8(ascii: "{"), count: 200_000)),
        Garbage(
            "a nesting bomb",
            message(#"{"method":"a.B","parameters":"#) + [UInt8](repeating: UInt8(ascii: "["), count: 200_000)),
        Garbage(
            "a closed nesting bomb",
            message(#"{"method":"a.B","parameters":"#) + [UInt8](repeating: UInt8(ascii: "["), count: 50_000)
                + [UInt8](repeating: UInt8(ascii: "]"), count: 50_000) + message("}")
        ),
    ]

    @Test(arguments: garbage) func garbageIsAnError(_ garbage: Garbage) {
        #expect(throws: WireError.self) { try VarlinkCall(garbage.bytes) }
        #expect(throws: WireError.self) { try SystemMessage(VarlinkReply(garbage.bytes)) }
    }

    @Test func depthIsCountedOutsideOfStrings() throws {
        let brackets = String(repeating: "[", count: 500)
        let json = #"{"method":"roost.App.BeginTask","parameters":{"task":{"id":1,"name":"\"\#(brackets)"}}}"#
        #expect(try decode(json) == .request(.beginTask(BackgroundTask(id: TaskID(1), name: "\"" + brackets))))
        #expect(throws: WireError.tooDeep(limit: WireLimits.depth)) { try decode(#"{"a":"# + brackets) }
    }

    @Test func unknownMethodsAndInterfacesDiffer() {
        #expect(throws: WireError.unknownMethod("roost.App.Explode")) { try decode(#"{"method":"roost.App.Explode"}"#) }
        #expect(throws: WireError.unknownInterface("roost.Control")) { try decode(#"{"method":"roost.Control.List"}"#) }
        #expect(throws: WireError.unknownInterface("roost.App")) {
            try ControlCall(VarlinkCall(message(#"{"method":"roost.App.Attach"}"#)))
        }
    }

    @Test func unknownFieldsAreForLaterVersions() throws {
        #expect(
            try decode(#"{"method":"roost.App.Identify","parameters":{"token":"t","later":{"a":[1]}},"x":1}"#)
                == .identify(token: "t"))
    }

    /// A request for a region, in which one member is wrong.
    private static func region(
        identifier: String = "home", latitude: String = "0", longitude: String = "0", radius: String = "100"
    ) -> String {
        #"{"method":"roost.App.MonitorLocationRegion","parameters":{"region":{"identifier":"\#(identifier)","#
            + #""latitude":\#(latitude),"longitude":\#(longitude),"radius":\#(radius),"#
            + #""notifiesOnEntry":true,"notifiesOnExit":true}}}"#
    }

    @Test(arguments: [
        #"{"parameters":{"taskRefused":{"task":1}}}"#, #"{"continues":true,"parameters":{}}"#,
        #"{"continues":true,"parameters":{"taskRefused":{"task":1},"backgroundTime":{}}}"#,
        #"{"continues":true,"parameters":{"taskRefused":{"task":0}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":0,"kind":"didBecomeActive"}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"launch"}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"dance"}}}"#,
        #"{"continues":true,"error":"a.B"}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"deviceChanged"}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"discardScenes"}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"discardScenes","sessions":["1"]}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"discardScenes","sessions":[4294967296]}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"discardScenes","sessions":[2147483647,-2147483648]}}}"#,
        #"{"continues":true,"parameters":{"callback":{"id":1,"kind":"discardScenes","sessions":[1,3]}}}"#,
        #"{"continues":true,"parameters":{"device":{}}}"#, #"{"continues":true,"parameters":{"device":true}}"#,
        #"{"continues":true,"parameters":{"restoreIdentifiers":"left"}}"#,
        #"{"continues":true,"parameters":{"restoreIdentifiers":[1]}}"#,
        #"{"continues":true,"parameters":{"restoreIdentifiers":[\#(Self.texts(17))]}}"#,
        #"{"continues":true,"parameters":{"restoreIdentifiers":["\#(Self.text(257))"]}}"#,
        #"{"continues":true,"parameters":{"input":{}}}"#,
        #"{"continues":true,"parameters":{"input":{"text":"a","touch":{"x":1,"y":1}}}}"#,
        #"{"continues":true,"parameters":{"input":{"touch":{"x":1}}}}"#,
        #"{"continues":true,"parameters":{"input":{"touch":{"x":1.5,"y":1}}}}"#,
        #"{"continues":true,"parameters":{"input":{"text":"a"},"taskRefused":{"task":1}}}"#,
    ]) func messagesOfTheSystemAreCheckedToo(_ json: String) {
        #expect(throws: WireError.self) { try SystemMessage(VarlinkReply(message(json))) }
    }

    @Test(arguments: [
        (#"{"method":"roost.Control.Install","parameters":{"path":"relative"}}"#, "path"),
        (#"{"method":"roost.Control.Install","parameters":{"path":"/a\u0000b"}}"#, "path"),
        (#"{"method":"roost.Control.Launch","parameters":{"app":"../etc"}}"#, "app"),
        (#"{"method":"roost.Control.Launch"}"#, "app"),
        (#"{"method":"roost.Control.Wake","parameters":{"app":"a","reason":"boredom"}}"#, "reason"),
        (#"{"method":"roost.Control.Wake","parameters":{"app":"a","reason":"voipPush"}}"#, "reason"),
        (
            #"{"method":"roost.Control.Wake","parameters":{"app":"a","reason":"voip","restoreIdentifiers":["left"]}}"#,
            "restoreIdentifiers"
        ),
        (Self.wake(restoring: Self.texts(17)), "restoreIdentifiers"),
        (Self.wake(restoring: #""\#(Self.text(257))""#), "restoreIdentifiers[0]"),
        (#"{"method":"roost.Control.Watch"}"#, "more"),
        (#"{"method":"roost.Control.Interrupt"}"#, "kind"),
        (#"{"method":"roost.Control.Interrupt","parameters":{"kind":"boredom"}}"#, "kind"),
        (#"{"method":"roost.Control.Interrupt","parameters":{"kind":1}}"#, "kind"),
        (#"{"method":"roost.Control.Memory","parameters":{"pressure":"none"}}"#, "pressure"),
        (#"{"method":"roost.Control.Switch","parameters":{"app":"../etc"}}"#, "app"),
        (#"{"method":"roost.Control.Accept","parameters":{"app":7}}"#, "app"),
        (#"{"method":"roost.Control.Set","parameters":{"name":"passcode"}}"#, "value"),
        (#"{"method":"roost.Control.Set","parameters":{"value":"on"}}"#, "name"),
        (#"{"method":"roost.Control.Set","parameters":{"name":"passcode","value":true}}"#, "value"),
        (#"{"method":"roost.Control.Set","parameters":{"name":"a","value":"b","app":"/"}}"#, "app"),
        (#"{"method":"roost.Control.Send","parameters":{"app":"a.b"}}"#, "input"),
        (#"{"method":"roost.Control.Send","parameters":{"app":"a.b","input":{}}}"#, "input"),
        (
            #"{"method":"roost.Control.Send","parameters":{"app":"a.b","input":{"text":"a","touch":{"x":1,"y":1}}}}"#,
            "input"
        ),
        (#"{"method":"roost.Control.Send","parameters":{"app":"a.b","input":{"text":""}}}"#, "input.text"),
        (#"{"method":"roost.Control.Send","parameters":{"app":"a.b","input":{"text":7}}}"#, "input.text"),
        (#"{"method":"roost.Control.Send","parameters":{"app":"a.b","input":{"touch":{"x":1}}}}"#, "input.touch.y"),
        (
            #"{"method":"roost.Control.Send","parameters":{"app":"a.b","input":{"touch":{"x":"1","y":1}}}}"#,
            "input.touch.x"
        ),
        (
            #"{"method":"roost.Control.Send","parameters":{"app":"a.b","input":{"text":"\#(String(repeating: "é", count: 8193))"}}}"#,
            "input.text"
        ),
    ]) func controlNamesTheFieldToo(_ json: String, _ expected: String) throws {
        do {
            _ = try ControlCall(VarlinkCall(message(json)))
            Issue.record("accepted")
        } catch WireError.invalidParameter(let field, _) {
            #expect(field == expected)
        }
    }
}
