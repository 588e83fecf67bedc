import LifeCycleModel
import RoostWire
import Testing

/// Locations on the wire.
@Suite struct LocationWireTests {
    private static let fixes: [LocationFix] =
        [
            (-900_000_000, -1_800_000_000, 0, Int64.min), (900_000_000, 1_800_000_000, 1_000_000_000, .max),
            (0, 0, 1, 0),
        ].compactMap { LocationFix(latitude: $0, longitude: $1, accuracy: $2, time: Nanoseconds($3)) } + detailed

    /// Positions with everything that a receiver may know.
    private static let detailed: [LocationFix] = [
        (LocationFix.Altitude.heights.lowerBound, LocationFix.speeds.upperBound, LocationFix.courses.upperBound),
        (LocationFix.Altitude.heights.upperBound, 0, 0),
    ].compactMap { height, speed, course in
        LocationFix(
            latitude: -900_000_000, longitude: -1_800_000_000, accuracy: LocationFix.leastAccurate,
            time: Nanoseconds(.min),
            altitude: LocationFix.Altitude(height: height, accuracy: LocationFix.leastAccurate), speed: speed,
            course: course)
    }

    private static let regions = [("", false, true), ("ÿ \n", true, false)].compactMap {
        LocationRegion(
            identifier: $0, latitude: -900_000_000, longitude: 1_800_000_000, radius: 10_000_000, notifiesOnEntry: $1,
            notifiesOnExit: $2)
    }

    @Test func requestsComeBackAsTheyWere() throws {
        let requests: [LocationRequest] = [
            .setUpdates(nil), .setUpdates(StandardUpdates()), .setUpdates(StandardUpdates(distanceFilter: .max)),
            .setUpdates(StandardUpdates(allowsBackground: true, pausesAutomatically: false, showsIndicator: true)),
            .setChangeMonitoring(true), .setChangeMonitoring(false), .requestPermission(always: true),
            .requestPermission(always: false), .monitorRegion(Self.regions[0]), .monitorRegion(Self.regions[1]),
            .stopRegion("ÿ"), .requestRegionStates, .requestLocation(true), .requestLocation(false),
            .setBackgroundActivity(true), .setBackgroundActivity(false),
        ]
        for call in requests.map({ AppCall.request(.concern(.location($0))) }) {
            #expect(try AppCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
    }

    @Test func callsAndMessagesComeBackAsTheyWere() throws {
        #expect(Self.fixes.count == 5 && Self.detailed.allSatisfy { $0.altitude != nil })
        let calls =
            LocationService.allCases.map { LocationCall.updated(Self.fixes, by: $0) }
            + LocationFailure.allCases.map { .failed($0) } + LocationPermission.allCases.map { .permissionChanged($0) }
            + Self.fixes.map { .located($0) } + [
                .located(nil), .paused, .resumed, .crossed("a", isInside: true), .crossed("", isInside: false),
                .regionStates([]),
                .regionStates([.init(region: "a", isInside: nil), .init(region: "b", isInside: true)]),
            ]
        let messages =
            calls.map { SystemMessage.callback(CallbackID(3), .concern(.location($0))) }
            + LocationPermission.allCases.map { .concern(.location(.permission($0))) }
            + [.concern(.location(.regions(Self.regions)))]
        for message in messages {
            #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
        }
    }

    @Test func theWireLooksLikeThis() {
        let change = LocationCall.updated([Self.fixes[2]], by: .changes)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.location(change))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"id":3,"kind":"didUpdateLocations","#
                + #""locations":[{"accuracy":1,"latitude":0,"longitude":0,"time":0}],"service":"changes"}}}"#)
        let details = LocationFix(
            latitude: 0, longitude: 0, accuracy: 1, time: .zero,
            altitude: LocationFix.Altitude(height: -2, accuracy: 3), speed: 4, course: 5)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.location(.located(details)))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"id":3,"kind":"didUpdateLocations","locations":[{"#
                + #""accuracy":1,"altitude":{"accuracy":3,"height":-2},"course":5,"latitude":0,"longitude":0,"#
                + #""speed":4,"time":0}],"service":"request"}}}"#)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.location(.failed(.denied)))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"code":1,"id":3,"kind":"didFailWithError"}}}"#)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.location(.located(nil)))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"code":0,"id":3,"kind":"didFailWithError","#
                + #""service":"request"}}}"#)
        #expect(
            text(SystemMessage.concern(.location(.permission(.whenInUse))).encoded())
                == #"{"continues":true,"parameters":{"locationPermission":"whenInUse"}}"#)
        #expect(
            text(AppCall.request(.concern(.location(.setUpdates(nil)))).encoded())
                == #"{"method":"roost.App.SetLocationUpdates","oneway":true,"parameters":{}}"#)
        #expect(
            text(AppCall.request(.concern(.location(.setUpdates(StandardUpdates())))).encoded())
                == #"{"method":"roost.App.SetLocationUpdates","oneway":true,"parameters":{"allowsBackground":false,"#
                + #""distanceFilter":0,"pausesAutomatically":true,"showsIndicator":false}}"#)
        #expect(
            text(SystemMessage.callback(CallbackID(3), .concern(.location(.paused))).encoded())
                == #"{"continues":true,"parameters":{"callback":{"id":3,"kind":"didPauseLocationUpdates"}}}"#)
    }

    @Test func whatARequestDoesNotGiveHasItsDefault() throws {
        let call = #"{"method":"roost.App.SetLocationUpdates","parameters":{"distanceFilter":5}}"#
        #expect(
            try AppCall(VarlinkCall(message(call)))
                == .request(.concern(.location(.setUpdates(StandardUpdates(distanceFilter: 5))))))
    }

    /// A call with this many positions.
    private static func call(positions: Int) -> String {
        let position = #"{"latitude":0,"longitude":0,"accuracy":0,"time":0}"#
        let all = Array(repeating: position, count: positions).joined(separator: ",")
        return #""kind":"didUpdateLocations","service":"updates","locations":[\#(all)]"#
    }

    @Test func aCallHasUpToAThousandPositions() throws {
        let fixes = Array(repeating: Self.detailed[0], count: 1000)
        let message = SystemMessage.callback(CallbackID(1), .concern(.location(.updated(fixes, by: .updates))))
        #expect(message.encoded().count < WireLimits.message)
        #expect(try SystemMessage(VarlinkReply(message.encoded().dropLast())) == message)
    }

    @Test(arguments: [
        (call(positions: 0), "callback.locations"), (call(positions: 1001), "callback.locations"),
        (#""kind":"didUpdateLocations","service":"updates""#, "callback.locations"),
        (
            #""kind":"didUpdateLocations","locations":[{"latitude":0}],"service":"updates""#,
            "callback.locations[0].longitude"
        ),
        (
            #""kind":"didUpdateLocations","service":"updates","locations":[{"latitude":0,"longitude":0,"accuracy":0}]"#,
            "callback.locations[0].time"
        ),
        (call(positions: 1).replacing("updates", with: "visits"), "callback.service"),
        (call(positions: 2).replacing("updates", with: "request"), "callback.locations"),
        (#""kind":"didFailWithError","service":5"#, "callback.service"),
        (#""kind":"didFailWithError","code":2"#, "callback.code"), (#""kind":"didFailWithError""#, "callback.code"),
        (#""kind":"didChangeAuthorization","permission":"maybe""#, "callback.permission"),
        (#""kind":"didEnterRegion""#, "callback.region"),
        (#""kind":"didExitRegion","region":"\#(String(repeating: "x", count: 1025))""#, "callback.region"),
        (#""kind":"didDetermineState","states":[{"isInside":true}]"#, "callback.states[0].region"),
    ])
    func wrongCallsAreRefused(members: String, field: String) throws {
        let reply = try VarlinkReply(message(#"{"continues":true,"parameters":{"callback":{"id":1,\#(members)}}}"#))
        do {
            _ = try SystemMessage(reply)
            Issue.record("\(members) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }

    @Test func wrongPermissionsAreRefused() throws {
        let reply = try VarlinkReply(message(#"{"continues":true,"parameters":{"locationPermission":"never"}}"#))
        #expect(throws: WireError.self) { try SystemMessage(reply) }
    }

    // MARK: The user

    @Test func actionsComeBackAsTheyWere() throws {
        let app = try #require(BundleIdentifier("org.example.App"))
        let fix = try #require(LocationFix(latitude: -1, longitude: 2, accuracy: 3, time: .zero))
        let detailed = Self.detailed.map { LocationControl.move($0.at(.zero)) }
        #expect(detailed.count == 2)
        let acts = [.move(fix)] + detailed + LocationPermission.allCases.map { LocationControl.permit(app, $0) }
        for call in acts.map({ ControlCall.location($0) }) {
            #expect(try ControlCall(VarlinkCall(call.encoded().dropLast())) == call)
        }
        #expect(
            text(ControlCall.location(.move(fix)).encoded())
                == #"{"method":"roost.Control.SetLocation","parameters":{"accuracy":3,"latitude":-1,"longitude":2}}"#)
        #expect(
            text(ControlCall.location(.permit(app, .always)).encoded())
                == #"{"method":"roost.Control.PermitLocation","#
                + #""parameters":{"app":"org.example.App","permission":"always"}}"#)
    }

    @Test(arguments: [
        (#"SetLocation","parameters":{"latitude":900000001,"longitude":0,"accuracy":0}"#, "latitude"),
        (#"SetLocation","parameters":{"latitude":0,"longitude":-1800000001,"accuracy":0}"#, "longitude"),
        (#"SetLocation","parameters":{"latitude":0,"longitude":4294967296,"accuracy":0}"#, "longitude"),
        (#"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":-1}"#, "accuracy"),
        (#"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":1000000001}"#, "accuracy"),
        (
            #"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":1,"altitude":{"height":1}}"#,
            "altitude.accuracy"
        ),
        (#"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":1,"altitude":7}"#, "altitude.height"),
        (
            #"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":1,"#
                + #""altitude":{"height":100000001,"accuracy":1}}"#, "altitude.height"
        ),
        (#"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":1,"speed":-1}"#, "speed"),
        (#"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":1,"speed":10000001}"#, "speed"),
        (#"SetLocation","parameters":{"latitude":0,"longitude":0,"accuracy":1,"course":36000}"#, "course"),
        (#"SetLocation","parameters":{"latitude":0.5,"longitude":0,"accuracy":0}"#, "latitude"),
        (#"SetLocation","parameters":{"latitude":0,"longitude":0}"#, "accuracy"),
        (#"PermitLocation","parameters":{"app":"a b","permission":"always"}"#, "app"),
        (#"PermitLocation","parameters":{"app":"org.example.App","permission":"when-in-use"}"#, "permission"),
    ])
    func wrongActionsAreRefused(call: String, field: String) throws {
        let call = try VarlinkCall(message(#"{"method":"roost.Control.\#(call)}"#))
        do {
            _ = try ControlCall(call)
            Issue.record("\(call) is accepted")
        } catch WireError.invalidParameter(let found, _) {
            #expect(found == field)
        }
    }
}
