import LifeCycleModel
import Testing

@testable import AppCore

/// The app's own view of its live updates and background activity sessions.
@Suite struct LiveUpdateTests {
    private static let purpose: Set<String> = [LocationPurpose.whenInUse.rawValue]
    private static let live = LocationRequest.setUpdates(StandardUpdates(pausesAutomatically: false))

    private var app = Scripted(.user)

    private func requests(_ steps: [Step]) -> [LocationRequest] {
        steps.compactMap { if case .send(.concern(.location(let request))) = $0 { request } else { nil } }
    }

    private mutating func asks(_ change: (inout AppCore, inout [Step]) -> Void) -> [LocationRequest] {
        var steps: [Step] = []
        change(&app.core, &steps)
        return requests(steps)
    }

    private mutating func repeats() -> [LocationRequest] {
        app.core.repeats().compactMap { if case .concern(.location(let request)) = $0 { request } else { nil } }
    }

    private mutating func start(
        _ id: LocationManagerID, keys: Set<String> = purpose, requiresSession: Bool = false
    ) -> [LocationRequest] {
        let keys = LocationKeys(all: keys, requiresSession: requiresSession)
        return asks { $0.startLiveUpdates(of: id, keys: keys, into: &$1) }
    }

    private mutating func deliveries() -> [LocationManagerCall] {
        var all: [LocationManagerCall] = []
        while let delivery = app.core.nextLocationDelivery() { all.append(delivery.call) }
        return all
    }

    private mutating func receives(_ permission: LocationPermission) {
        _ = app.receive(.concern(.location(.permission(permission))))
    }

    @Test mutating func theIterationAsksTheUser() {
        let id = app.core.addLocationManager()
        #expect(start(id) == [Self.live, .requestPermission(always: false)])
        #expect(deliveries() == [.waits(.permissionRequest)])
    }

    @Test mutating func withoutAPurposeNobodyIsAsked() {
        let id = app.core.addLocationManager()
        #expect(start(id, keys: []) == [Self.live])
        #expect(deliveries().isEmpty)
    }

    @Test mutating func anAppMayRequireASessionOfItself() {
        let id = app.core.addLocationManager()
        #expect(start(id, requiresSession: true) == [Self.live])
        #expect(deliveries() == [.waits(.serviceSession)])
    }

    @Test mutating func inTheBackgroundTheAppIsNotInUse() {
        app = Scripted(.locationUpdate)
        receives(.whenInUse)
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        #expect(!app.core.applicationState.isForeground)
        #expect(start(first) == [Self.live])
        #expect(deliveries() == [.waits(.use)])
        _ = asks { _ = $0.beginBackgroundActivity(into: &$1) }
        _ = start(second)
        #expect(deliveries().isEmpty)
    }

    /// The updates end with a denial, and begin again with a permission. Those of a manager do not.
    @Test mutating func aDenialIsNoEnd() throws {
        receives(.whenInUse)
        let (id, manager) = (app.core.addLocationManager(), app.core.addLocationManager())
        _ = start(id)
        _ = asks { $0.startLocationUpdates(of: manager, StandardUpdates(), into: &$1) }
        app.run(.concern(.location(.permissionChanged(.deny))))
        app.run(.concern(.location(.failed(.denied))))
        #expect(deliveries().contains(.location(.failed(.denied))))
        #expect(requests(app.run(.concern(.location(.permissionChanged(.whenInUse))))) == [Self.live])
        let fix = try #require(LocationFix(latitude: 1, longitude: 2, accuracy: 3, time: .zero))
        app.run(.concern(.location(.updated([fix], by: .updates))))
        #expect(deliveries() == [.location(.updated([fix], by: .updates))])
        #expect(asks { $0.removeLocationManager(id, into: &$1) } == [.setUpdates(nil)])
    }

    @Test mutating func aSecondIterationLearnsThatNothingIsKnown() {
        receives(.whenInUse)
        let (first, second) = (app.core.addLocationManager(), app.core.addLocationManager())
        _ = start(first)
        app.run(.concern(.location(.failed(.unknown))))
        #expect(deliveries() == [.location(.failed(.unknown))])
        _ = start(second)
        #expect(deliveries() == [.location(.failed(.unknown))])
    }

    @Test mutating func theLastSessionEndsTheActivity() {
        var ids: [BackgroundActivityID] = []
        #expect(repeats().isEmpty)
        #expect(asks { ids.append($0.beginBackgroundActivity(into: &$1)) } == [.setBackgroundActivity(true)])
        let again = asks { ids.append($0.beginBackgroundActivity(into: &$1)) }
        #expect(again == [.setBackgroundActivity(true)], "the first one may have been refused")
        #expect(asks { $0.endBackgroundActivity(ids[0], into: &$1) }.isEmpty)
        #expect(asks { $0.endBackgroundActivity(ids[0], into: &$1) }.isEmpty, "it has ended already")
        #expect(repeats() == [.setBackgroundActivity(true)])
        #expect(asks { $0.endBackgroundActivity(ids[1], into: &$1) } == [.setBackgroundActivity(false)])
        #expect(repeats() == [.setBackgroundActivity(false)], "the system may not have received the end")
    }

    /// A denial ends the sessions: a later permission begins none.
    @Test mutating func aDeniedSessionIsOver() {
        receives(.whenInUse)
        var ids: [BackgroundActivityID] = []
        _ = asks { ids.append($0.beginBackgroundActivity(into: &$1)) }
        app.run(.concern(.location(.permissionChanged(.deny))))
        let steps = app.run(.concern(.location(.permissionChanged(.whenInUse))))
        #expect(requests(steps) == [.setBackgroundActivity(false)])
        #expect(asks { $0.endBackgroundActivity(ids[0], into: &$1) }.isEmpty)
        #expect(asks { _ = $0.beginBackgroundActivity(into: &$1) } == [.setBackgroundActivity(true)])
    }

    /// The call about the new permission is lost in a restart of the system.
    @Test mutating func aPermissionByMessageRestartsTheUpdates() {
        receives(.whenInUse)
        let id = app.core.addLocationManager()
        _ = start(id)
        app.run(.concern(.location(.permissionChanged(.deny))))
        app.run(.concern(.location(.failed(.denied))))
        #expect(requests(app.receive(.concern(.location(.permission(.whenInUse))))) == [Self.live])
        #expect(requests(app.receive(.concern(.location(.permission(.whenInUse))))).isEmpty)
    }
}
