import LifeCycleModel
import Testing

@testable import AppCore

/// The app's own view of its regions.
@Suite struct RegionMirrorTests {
    private var app = Scripted(.user)

    private static func region(_ identifier: String, radius: Int64 = 10_000) throws -> LocationRegion {
        try #require(LocationRegion(identifier: identifier, latitude: 1, longitude: 2, radius: radius))
    }

    private mutating func asks(_ change: (inout AppCore, inout [Step]) -> Void) -> [LocationRequest] {
        var steps: [Step] = []
        change(&app.core, &steps)
        return steps.compactMap { if case .send(.concern(.location(let request))) = $0 { request } else { nil } }
    }

    private mutating func start(_ region: LocationRegion, _ manager: LocationManagerID) -> [LocationRequest] {
        asks { $0.startRegion(region, named: region.identifier, of: manager, into: &$1) }
    }

    private mutating func called(_ call: LocationCall) -> [LocationDelivery] {
        app.run(.concern(.location(call)))
        return deliveries()
    }

    private mutating func deliveries() -> [LocationDelivery] {
        var all: [LocationDelivery] = []
        while let delivery = app.core.nextLocationDelivery() { all.append(delivery) }
        return all
    }

    /// A manager with a delegate that has been told of the permission.
    private mutating func manager() -> LocationManagerID {
        let id = app.core.addLocationManager()
        app.core.introduceLocationManager(id)
        _ = deliveries()
        return id
    }

    @Test mutating func aStartIsSentAndAnnounced() throws {
        let (first, second) = (manager(), manager())
        let home = try Self.region("home")
        #expect(start(home, first) == [.monitorRegion(home)])
        #expect(app.core.monitoredRegions == [home])
        #expect(deliveries() == [LocationDelivery(manager: first, call: .startedMonitoring(home))])
        let larger = try Self.region("home", radius: 20_000)
        #expect(start(larger, second) == [.monitorRegion(larger)])
        #expect(app.core.monitoredRegions == [larger])
        #expect(deliveries() == [LocationDelivery(manager: second, call: .startedMonitoring(larger))])
        #expect(asks { $0.stopRegion("home", into: &$1) } == [.stopRegion("home")])
        #expect(app.core.monitoredRegions.isEmpty && deliveries().isEmpty)
    }

    @Test mutating func whatCannotBeMonitoredFails() throws {
        let manager = manager()
        func failure(_ name: String, _ failure: LocationRegionFailure) -> [LocationDelivery] {
            [LocationDelivery(manager: manager, call: .monitoringFailed(name, failure))]
        }
        #expect(asks { $0.startRegion(nil, named: "sun", of: manager, into: &$1) } == [])
        #expect(deliveries() == failure("sun", .failure))
        for number in 1...20 { _ = start(try Self.region("\(number)"), manager) }
        _ = deliveries()
        #expect(start(try Self.region("21"), manager) == [])
        #expect(deliveries() == failure("21", .failure))
        #expect(start(try Self.region("20"), manager).count == 1, "it replaces another")
        _ = called(.permissionChanged(.deny))
        #expect(app.core.monitoredRegions.isEmpty)
        #expect(start(try Self.region("1"), manager) == [])
        #expect(deliveries() == failure("1", .denied))
    }

    /// The system's list is what an earlier launch has left. What this launch has asked for is newer.
    @Test mutating func theRegionsOfEarlierLaunchesAreKnown() throws {
        let manager = manager()
        let (home, work, gym) = (try Self.region("home"), try Self.region("work"), try Self.region("gym"))
        let newHome = try Self.region("home", radius: 70_000)
        _ = start(newHome, manager)
        _ = asks { $0.stopRegion("gym", into: &$1) }
        _ = app.receive(.concern(.location(.regions([gym, home, work]))))
        #expect(Set(app.core.monitoredRegions) == [newHome, work])
        // The user has denied the location meanwhile, and the regions of earlier launches have ended.
        _ = app.receive(.concern(.location(.regions([]))))
        #expect(app.core.monitoredRegions == [newHome])
    }

    @Test mutating func allManagersAreToldOfACrossing() throws {
        let (first, second) = (manager(), manager())
        _ = app.core.addLocationManager()
        let home = try Self.region("home")
        _ = start(home, first)
        _ = deliveries()
        let calls = [first, second].flatMap { manager in
            [
                LocationDelivery(manager: manager, call: .crossed(home, isInside: false)),
                LocationDelivery(manager: manager, call: .determined(home, isInside: false)),
            ]
        }
        #expect(called(.crossed("home", isInside: false)) == calls)
        #expect(called(.crossed("elsewhere", isInside: true)) == [])
        _ = asks { $0.stopRegion("home", into: &$1) }
        #expect(called(.crossed("home", isInside: true)) == [])
    }

    /// After a launch, the crossing waits for a manager with a delegate.
    @Test mutating func theFirstManagerReceivesAnEarlyCrossing() throws {
        let home = try Self.region("home")
        _ = app.receive(.concern(.location(.regions([home]))))
        #expect(called(.crossed("home", isInside: true)) == [])
        #expect(called(.crossed("home", isInside: false)) == [])
        let manager = app.core.addLocationManager()
        #expect(deliveries() == [])
        app.core.introduceLocationManager(manager)
        #expect(
            deliveries().map(\.call) == [
                .location(.permissionChanged(.ask)), .crossed(home, isInside: false),
                .determined(home, isInside: false),
            ])
        let next = app.core.addLocationManager()
        app.core.introduceLocationManager(next)
        #expect(deliveries().map(\.call) == [.location(.permissionChanged(.ask))])
    }

    @Test mutating func withoutPermissionNoCrossingIsTold() throws {
        let manager = manager()
        _ = start(try Self.region("home"), manager)
        app.run(.concern(.location(.crossed("home", isInside: true))))
        app.run(.concern(.location(.permissionChanged(.deny))))
        #expect(
            deliveries().map(\.call) == [
                .startedMonitoring(try Self.region("home")), .location(.permissionChanged(.deny)),
            ])
    }

    @Test mutating func statesGoToThoseWhoAsked() throws {
        let (first, second) = (manager(), manager())
        let (home, work) = (try Self.region("home"), try Self.region("work"))
        for region in [home, work] { _ = start(region, first) }
        _ = deliveries()
        #expect(asks { $0.askState(of: home, for: second, into: &$1) } == [.requestRegionStates])
        #expect(
            called(.regionStates([.init(region: "home", isInside: true), .init(region: "work", isInside: false)])) == [
                LocationDelivery(manager: second, call: .determined(home, isInside: true))
            ])
        #expect(called(.regionStates([])) == [])
        let gym = try Self.region("gym")
        #expect(asks { $0.askState(of: gym, for: second, into: &$1) } == [])
        #expect(deliveries() == [LocationDelivery(manager: second, call: .determined(gym, isInside: nil))])
    }

    /// An app that uses ever new identifiers repeats only the newest stops.
    @Test mutating func oldStopsAreNotRepeated() throws {
        let manager = manager()
        for number in 1...100 {
            _ = start(try Self.region("\(number)"), manager)
            _ = asks { $0.stopRegion("\(number)", into: &$1) }
        }
        let stops = (81...100).map { LocationRequest.stopRegion("\($0)") }
        #expect(app.core.repeats() == stops.map { .concern(.location($0)) })
    }

    @Test mutating func aNewConnectionRepeatsTheRequests() throws {
        let manager = manager()
        let home = try Self.region("home")
        _ = app.receive(.concern(.location(.regions([try Self.region("old")]))))
        _ = start(home, manager)
        _ = asks { $0.stopRegion("work", into: &$1) }
        _ = asks { $0.askState(of: home, for: manager, into: &$1) }
        #expect(
            app.core.repeats() == [
                .concern(.location(.monitorRegion(home))), .concern(.location(.stopRegion("work"))),
                .concern(.location(.requestRegionStates)),
            ])
    }
}
