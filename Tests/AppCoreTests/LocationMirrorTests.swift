import LifeCycleModel
import Testing

@testable import AppCore

/// The app's own view of its locations, and the calls of its managers (R-132 to R-142).
@Suite struct LocationMirrorTests {
    private static func fix(_ metersNorth: Int32, at time: Int64 = 0) throws -> LocationFix {
        try #require(
            LocationFix(latitude: 520_000_000 + metersNorth * 90, longitude: 0, accuracy: 100, time: .seconds(time)))
    }

    private var app = Scripted(.user)

    private mutating func asks(_ change: (inout AppCore, inout [Step]) -> Void) -> [LocationRequest] {
        var steps: [Step] = []
        change(&app.core, &steps)
        return steps.compactMap { if case .send(.concern(.location(let request))) = $0 { request } else { nil } }
    }

    private mutating func start(_ manager: LocationManagerID, _ filter: Int64 = 0) -> [LocationRequest] {
        asks { $0.startLocationUpdates(of: manager, StandardUpdates(distanceFilter: filter), into: &$1) }
    }

    private mutating func change(_ manager: LocationManagerID, _ filter: Int64) -> [LocationRequest] {
        asks { $0.changeLocationOptions(of: manager, StandardUpdates(distanceFilter: filter), into: &$1) }
    }

    /// The requests that a call of the app causes.
    private mutating func sends(_ call: LocationCall) -> [LocationRequest] {
        let steps = app.run(.concern(.location(call)))
        return steps.compactMap { if case .send(.concern(.location(let request))) = $0 { request } else { nil } }
    }

    private mutating func stop(_ manager: LocationManagerID) -> [LocationRequest] {
        asks { $0.stopLocationUpdates(of: manager, into: &$1) }
    }

    private mutating func monitor(_ manager: LocationManagerID) -> [LocationRequest] {
        asks { $0.startChangeMonitoring(of: manager, into: &$1) }
    }

    private mutating func unmonitor(_ manager: LocationManagerID) -> [LocationRequest] {
        asks { $0.stopChangeMonitoring(of: manager, into: &$1) }
    }

    private mutating func receives(_ permission: LocationPermission) {
        _ = app.receive(.concern(.location(.permission(permission))))
    }

    /// The calls that the managers make because of a call of the app.
    private mutating func called(_ call: LocationCall) -> [LocationDelivery] {
        app.run(.concern(.location(call)))
        return deliveries()
    }

    private mutating func deliveries() -> [LocationDelivery] {
        var all: [LocationDelivery] = []
        while let delivery = app.core.nextLocationDelivery() { all.append(delivery) }
        return all
    }

    private mutating func repeats() -> [LocationRequest] {
        app.core.repeats().compactMap { if case .concern(.location(let request)) = $0 { request } else { nil } }
    }

    private mutating func opened() {
        app.run(.launch(.user))
        app.run(.didBecomeActive)
    }

    // MARK: The app's requests

    @Test mutating func thePermissionIsTheNewestThatArrived() {
        #expect(app.core.locationPermission == .ask)
        receives(.always)
        #expect(app.core.locationPermission == .always)
        _ = called(.permissionChanged(.deny))
        #expect(app.core.locationPermission == .deny)
    }

    @Test mutating func aNewConnectionRepeatsTheLastRequests() {
        #expect(repeats().isEmpty)
        #expect(
            asks { $0.setLocationUpdates(StandardUpdates(distanceFilter: 5), into: &$1) } == [
                .setUpdates(StandardUpdates(distanceFilter: 5))
            ])
        #expect(asks { $0.setChangeMonitoring(true, into: &$1) } == [.setChangeMonitoring(true)])
        #expect(asks { $0.requestLocationPermission(always: true, into: &$1) } == [.requestPermission(always: true)])
        #expect(repeats() == [.setUpdates(StandardUpdates(distanceFilter: 5)), .setChangeMonitoring(true)])
        _ = asks { core, steps in
            core.setLocationUpdates(nil, into: &steps)
            core.setChangeMonitoring(false, into: &steps)
        }
        #expect(repeats() == [.setUpdates(nil), .setChangeMonitoring(false)])
    }

    @Test func requestsNeedTheirTexts() {
        let (inUse, always) = (LocationPurpose.whenInUse, LocationPurpose.always)
        #expect(LocationPurpose.missing(in: [], always: false) == [inUse])
        #expect(LocationPurpose.missing(in: [inUse.rawValue], always: false).isEmpty)
        #expect(LocationPurpose.missing(in: [inUse.rawValue], always: true) == [always])
        #expect(LocationPurpose.missing(in: [always.rawValue], always: true) == [inUse])
        #expect(LocationPurpose.missing(in: [inUse.rawValue, always.rawValue], always: true).isEmpty)
    }

    // MARK: One position

    private mutating func request(_ manager: LocationManagerID) -> [LocationRequest] {
        asks { $0.requestLocation(for: manager, into: &$1) }
    }

    @Test mutating func aRequestIsAnsweredOnce() throws {
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        #expect(request(first) == [.requestLocation(true)] && request(first).isEmpty)
        #expect(repeats() == [.requestLocation(true)])
        let call = LocationCall.located(try Self.fix(1))
        #expect(called(call) == [LocationDelivery(manager: first, call: .location(call))])
        #expect(try app.core.newestLocation == Self.fix(1))
        #expect(called(call).isEmpty && repeats().isEmpty)
        #expect(request(second) == [.requestLocation(true)])
        #expect(called(.located(nil)) == [LocationDelivery(manager: second, call: .location(.located(nil)))])
        #expect(try app.core.newestLocation == Self.fix(1))
    }

    @Test mutating func aStartOrAStopCancelsTheRequest() throws {
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        _ = request(first)
        _ = request(second)
        #expect(stop(first).isEmpty, "the other one still waits")
        #expect(start(second) == [.requestLocation(false), .setUpdates(StandardUpdates())])
        #expect(called(.located(try Self.fix(1))).isEmpty)
        // The answer has arrived, and is not delivered yet.
        _ = request(first)
        app.run(.concern(.location(.located(try Self.fix(1)))))
        #expect(stop(first) == [.requestLocation(false)])
        #expect(deliveries().isEmpty)
        _ = request(first)
        #expect(asks { $0.removeLocationManager(first, into: &$1) } == [.requestLocation(false)])
    }

    @Test mutating func aRequestIsAnsweredWithoutPermissionToo() throws {
        let manager = app.core.addLocationManager()
        receives(.always)
        _ = request(manager)
        app.run(.concern(.location(.located(try Self.fix(1)))))
        receives(.ask)
        #expect(deliveries() == [LocationDelivery(manager: manager, call: .location(.located(nil)))])
        #expect(app.core.newestLocation == nil)
        #expect(request(manager) == [.requestLocation(true)])
        receives(.deny)
        #expect(called(.failed(.denied)) == [LocationDelivery(manager: manager, call: .location(.failed(.denied)))])
        #expect(request(manager) == [.requestLocation(true)])
    }

    // MARK: Several managers

    @Test mutating func theAppsWishIsTheSmallestFilter() {
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        #expect(start(first, 500) == [.setUpdates(StandardUpdates(distanceFilter: 500))])
        #expect(start(second, 100) == [.setUpdates(StandardUpdates(distanceFilter: 100))])
        #expect(start(second, -1) == [.setUpdates(StandardUpdates())])
        #expect(stop(first).isEmpty && stop(first).isEmpty)
        #expect(start(first, 500) == [.setUpdates(StandardUpdates())])
        #expect(stop(second) == [.setUpdates(StandardUpdates(distanceFilter: 500))])
        #expect(asks { $0.removeLocationManager(first, into: &$1) } == [.setUpdates(nil)])
        #expect(start(first).isEmpty, "it is gone")
    }

    /// One manager is enough to keep the app running, or to forbid the pause.
    @Test mutating func theAppsWishIsWhatAnyManagerNeeds() {
        let (plain, tracking) = (app.core.addLocationManager(), app.core.addLocationManager())
        _ = start(plain, 100)
        let track = StandardUpdates(
            distanceFilter: 500, allowsBackground: true, pausesAutomatically: false, showsIndicator: true)
        #expect(
            asks { $0.startLocationUpdates(of: tracking, track, into: &$1) } == [
                .setUpdates(
                    StandardUpdates(
                        distanceFilter: 100, allowsBackground: true, pausesAutomatically: false, showsIndicator: true))
            ])
        #expect(stop(tracking) == [.setUpdates(StandardUpdates(distanceFilter: 100))])
    }

    @Test mutating func theModeIsNeededForTheBackground() {
        #expect(LocationBackground.refusal(modes: ["audio", "location"]) == nil)
        let refusal = LocationBackground.refusal(modes: ["audio"])
        #expect(
            refusal == #"allowsBackgroundLocationUpdates = true needs "location" in UIBackgroundModes in Info.plist"#)
    }

    /// Managers with standard updates are told of a pause, unless they stop meanwhile.
    @Test mutating func managersAreToldOfAPause() {
        let (first, second, other) = (
            app.core.addLocationManager(), app.core.addLocationManager(), app.core.addLocationManager()
        )
        _ = start(first)
        _ = start(second)
        _ = monitor(other)
        #expect(called(.paused).map(\.manager) == [first, second])
        app.run(.concern(.location(.resumed)))
        _ = stop(first)
        #expect(deliveries() == [LocationDelivery(manager: second, call: .location(.resumed))])
    }

    @Test mutating func eachManagerReceivesByItsOwnFilter() throws {
        let (all, far, none) = (
            app.core.addLocationManager(), app.core.addLocationManager(), app.core.addLocationManager()
        )
        _ = start(all)
        _ = start(far, 10_000)
        _ = monitor(none)
        let fixes = [try Self.fix(0), try Self.fix(50), try Self.fix(150)]
        #expect(
            called(.updated(fixes, by: .updates)) == [
                LocationDelivery(manager: all, call: .location(.updated(fixes, by: .updates))),
                LocationDelivery(manager: far, call: .location(.updated([fixes[0], fixes[2]], by: .updates))),
            ])
        #expect(app.core.newestLocation == fixes[2])
        // The same position again, because the app's request has changed.
        #expect(called(.updated([fixes[2]], by: .updates)).isEmpty)
        #expect(called(.failed(.unknown)).map(\.manager) == [all, far])
        let change = try Self.fix(900)
        #expect(called(.updated([change], by: .changes)).map(\.manager) == [none])
    }

    /// The system tells nothing, because the app's request is the same.
    @Test mutating func aSecondManagerReceivesTheNewestPosition() throws {
        opened()
        receives(.whenInUse)
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        let newest = try Self.fix(0)
        _ = start(first)
        _ = monitor(first)
        _ = called(.updated([newest], by: .updates))
        _ = start(first)
        #expect(deliveries().isEmpty, "a second start")
        _ = start(second)
        #expect(deliveries() == [LocationDelivery(manager: second, call: .location(.updated([newest], by: .updates)))])
        _ = monitor(second)
        #expect(deliveries() == [LocationDelivery(manager: second, call: .location(.updated([newest], by: .changes)))])
        app.run(.willResignActive)
        app.run(.didEnterBackground)
        _ = stop(second)
        _ = start(second)
        #expect(deliveries().isEmpty, "the app is not in use")
    }

    @Test mutating func positionsOfAStoppedServiceAreDropped() throws {
        let manager = app.core.addLocationManager()
        _ = start(manager)
        _ = monitor(manager)
        app.run(.concern(.location(.updated([try Self.fix(0)], by: .updates))))
        app.run(.concern(.location(.updated([try Self.fix(0)], by: .changes))))
        _ = stop(manager)
        _ = unmonitor(manager)
        #expect(deliveries().isEmpty)
        app.run(.concern(.location(.permissionChanged(.always))))
        _ = asks { $0.removeLocationManager(manager, into: &$1) }
        #expect(deliveries().isEmpty)
    }

    // MARK: Significant changes

    @Test mutating func theFirstManagerThatStartsReceivesAnEarlyChange() throws {
        let change = try Self.fix(0)
        let manager = app.core.addLocationManager()
        #expect(called(.updated([change], by: .changes)).isEmpty)
        #expect(app.core.newestLocation == change)
        #expect(monitor(manager) == [.setChangeMonitoring(true)])
        #expect(deliveries() == [LocationDelivery(manager: manager, call: .location(.updated([change], by: .changes)))])
        _ = monitor(manager)
        #expect(deliveries().isEmpty)
    }

    @Test mutating func aStopEndsWhatAnEarlierLaunchHasStarted() throws {
        let manager = app.core.addLocationManager()
        _ = called(.updated([try Self.fix(0)], by: .changes))
        #expect(unmonitor(manager) == [.setChangeMonitoring(false)])
        _ = called(.updated([try Self.fix(900)], by: .changes))
        _ = monitor(manager)
        #expect(deliveries().isEmpty)
    }

    @Test mutating func changesGoOnUntilTheLastManagerStops() {
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        _ = monitor(first)
        _ = monitor(second)
        #expect(unmonitor(first).isEmpty)
        #expect(unmonitor(second) == [.setChangeMonitoring(false)])
        _ = monitor(first)
        #expect(asks { $0.removeLocationManager(first, into: &$1) }.isEmpty, "the app's monitoring outlives a manager")
    }

    // MARK: The permission

    @Test mutating func aManagerTellsThePermissionOnceItHasADelegate() {
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        app.core.introduceLocationManager(first)
        app.core.introduceLocationManager(first)
        receives(.always)
        #expect(deliveries() == [LocationDelivery(manager: first, call: .location(.permissionChanged(.always)))])
        app.core.introduceLocationManager(first)
        #expect(deliveries().isEmpty)
        // The message about a change, and the call, in both orders.
        receives(.whenInUse)
        #expect(deliveries() == [LocationDelivery(manager: first, call: .location(.permissionChanged(.whenInUse)))])
        #expect(called(.permissionChanged(.whenInUse)).isEmpty)
        #expect(called(.permissionChanged(.always)).map(\.manager) == [first])
        receives(.always)
        #expect(deliveries().isEmpty)
        app.core.introduceLocationManager(second)
        #expect(deliveries().map(\.manager) == [second])
    }

    @Test mutating func withoutPermissionAllServicesEnd() throws {
        receives(.always)
        let (updating, monitoring) = (app.core.addLocationManager(), app.core.addLocationManager())
        _ = start(updating)
        _ = monitor(monitoring)
        _ = called(.updated([try Self.fix(0)], by: .updates))
        #expect(called(.permissionChanged(.deny)).isEmpty)
        #expect(app.core.newestLocation == nil)
        #expect(called(.failed(.denied)).map(\.manager) == [updating])
        #expect(repeats() == [.setUpdates(nil), .setChangeMonitoring(false)])
        #expect(called(.updated([try Self.fix(1)], by: .updates)).isEmpty)
        #expect(start(updating) == [.setUpdates(StandardUpdates())])
        #expect(called(.failed(.denied)) == [LocationDelivery(manager: updating, call: .location(.failed(.denied)))])
    }

    /// The monitoring ends without an error, and no new connection starts it again.
    @Test(arguments: [true, false]) mutating func aDenialEndsTheMonitoring(_ byCall: Bool) throws {
        receives(.always)
        let manager = app.core.addLocationManager()
        _ = monitor(manager)
        app.run(.concern(.location(.updated([try Self.fix(0)], by: .changes))))
        if byCall { app.run(.concern(.location(.permissionChanged(.deny)))) } else { receives(.deny) }
        #expect(deliveries().isEmpty, "a position that waits in the app is not told")
        receives(.always)
        #expect(repeats() == [.setChangeMonitoring(false)])
        #expect(monitor(manager) == [.setChangeMonitoring(true)])
    }

    @Test mutating func aDenialEndsTheUpdatesOfAManager() {
        receives(.always)
        let manager = app.core.addLocationManager()
        #expect(change(manager, 5).isEmpty)
        _ = start(manager)
        #expect(change(manager, 5) == [.setUpdates(StandardUpdates(distanceFilter: 5))])
        _ = called(.permissionChanged(.deny))
        _ = called(.failed(.denied))
        #expect(change(manager, 6).isEmpty)
    }

    /// A denial answers a request, also if the user has allowed it meanwhile. The next request is sent.
    @Test mutating func aDenialAnswersTheRequest() {
        receives(.always)
        let manager = app.core.addLocationManager()
        _ = request(manager)
        #expect(called(.failed(.denied)).map(\.manager) == [manager])
        #expect(request(manager) == [.requestLocation(true)])
    }

    /// The system has ended the services meanwhile, and the app does not know.
    @Test mutating func anAllowedAppAsksAgain() {
        receives(.always)
        let manager = app.core.addLocationManager()
        _ = start(manager, 7)
        _ = monitor(manager)
        _ = request(manager)
        let all: [LocationRequest] = [
            .setUpdates(StandardUpdates(distanceFilter: 7)), .requestLocation(true), .setChangeMonitoring(true),
        ]
        #expect(sends(.permissionChanged(.whenInUse)) == all)
        #expect(sends(.permissionChanged(.ask)).isEmpty)
    }

    /// The answer may be among the calls that the system withdraws.
    @Test mutating func withoutPermissionAQuestionForStatesIsAnswered() throws {
        receives(.always)
        let manager = app.core.addLocationManager()
        let region = try #require(LocationRegion(identifier: "a", latitude: 0, longitude: 0, radius: 1))
        _ = asks { $0.startRegion(region, named: "a", of: manager, into: &$1) }
        _ = asks { $0.askState(of: region, for: manager, into: &$1) }
        _ = deliveries()
        #expect(
            called(.permissionChanged(.ask)) == [
                LocationDelivery(manager: manager, call: .determined(region, isInside: nil))
            ])
    }

    // MARK: Options

    /// The app stops its updates, and the pause of these arrives after that.
    @Test mutating func aLatePauseStopsNoOption() throws {
        receives(.always)
        let manager = app.core.addLocationManager()
        _ = start(manager)
        _ = stop(manager)
        #expect(called(.paused).isEmpty)
        _ = start(manager)
        #expect(change(manager, 5) == [.setUpdates(StandardUpdates(distanceFilter: 5))])
        // Here the app has started others meanwhile. Their first position shows that they are not paused.
        _ = called(.paused)
        #expect(change(manager, 6).isEmpty)
        #expect(
            sends(.updated([try Self.fix(0)], by: .updates)) == [.setUpdates(StandardUpdates(distanceFilter: 6))])
    }

    /// Another option is no start: the request is not canceled, and the pause does not end.
    @Test mutating func anotherOptionEndsNeitherARequestNorAPause() throws {
        receives(.always)
        let manager = app.core.addLocationManager()
        _ = start(manager)
        _ = request(manager)
        #expect(change(manager, 5) == [.setUpdates(StandardUpdates(distanceFilter: 5))])
        #expect(called(.located(try Self.fix(1))).map(\.manager) == [manager])
        #expect(called(.paused).map(\.manager) == [manager])
        #expect(change(manager, 6).isEmpty && change(manager, 7).isEmpty)
        #expect(sends(.resumed) == [.setUpdates(StandardUpdates(distanceFilter: 7))])
        #expect(change(manager, 8) == [.setUpdates(StandardUpdates(distanceFilter: 8))])
        // After a restart of the system, the pause is over.
        _ = called(.paused)
        _ = change(manager, 9)
        #expect(repeats() == [.setUpdates(StandardUpdates(distanceFilter: 9))])
        #expect(change(manager, 10) == [.setUpdates(StandardUpdates(distanceFilter: 10))])
        _ = called(.paused)
        _ = change(manager, 11)
        #expect(start(manager, 11) == [.setUpdates(StandardUpdates(distanceFilter: 11))])
        #expect(sends(.resumed).isEmpty)
    }

    /// A delegate that vanished before it was called does not count.
    @Test mutating func theNextDelegateIsToldThePermission() {
        let manager = app.core.addLocationManager()
        app.core.introduceLocationManager(manager)
        #expect(app.core.locationDeliveryCount == 1)
        #expect(deliveries().map(\.manager) == [manager])
        app.core.forgetIntroduction(of: manager)
        app.core.introduceLocationManager(manager)
        #expect(deliveries() == [LocationDelivery(manager: manager, call: .location(.permissionChanged(.ask)))])
    }

    /// The user has allowed it again before the app received that it was denied.
    @Test mutating func anOldDenialDoesNotEndServices() {
        receives(.always)
        let manager = app.core.addLocationManager()
        _ = start(manager, 7)
        #expect(called(.failed(.denied)).map(\.manager) == [manager])
        #expect(repeats() == [.setUpdates(StandardUpdates(distanceFilter: 7))])
        #expect(start(manager, 7) == [.setUpdates(StandardUpdates(distanceFilter: 7))])
    }
}
