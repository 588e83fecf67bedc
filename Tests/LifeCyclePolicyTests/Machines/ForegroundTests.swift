import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The app in the foreground, and the app that may be active.
@Suite struct ForegroundTests {
    @Test func thePreviousForegroundAppHasToLeave() {
        var foreground = Foreground()
        #expect(foreground.bring(app(1)) == nil)
        #expect(foreground.bring(app(1)) == nil, "the app is already in the foreground")
        #expect(foreground.bring(app(2)) == app(1))
        #expect(foreground.bring(nil) == app(2))
        #expect(foreground.bring(nil) == nil)
        #expect(foreground.app == nil)
    }

    @Test func onlyTheForegroundAppsEndEmptiesTheForeground() {
        var foreground = Foreground()
        _ = foreground.bring(app(2))
        foreground.left(app(1))
        #expect(foreground.app == app(2))
        foreground.left(app(2))
        #expect(foreground.app == nil)
    }

    @Test func eachAppMayWait() {
        var foreground = Foreground()
        _ = foreground.activationWanted(by: app(3))
        for number in 1...2 as ClosedRange<Int32> { _ = foreground.activationWanted(by: app(number)) }
        #expect(foreground.activationReleased(by: app(3)) == app(1))
        #expect(foreground.activationReleased(by: app(1)) == app(2))
    }

    @Test func activationIsGrantedInOrder() {
        var foreground = Foreground()
        #expect(foreground.activationWanted(by: app(1)) == true)
        #expect(foreground.activationWanted(by: app(1)) == true, "the app already has the activation")
        #expect(foreground.activationWanted(by: app(2)) == false)
        #expect(foreground.activationWanted(by: app(3)) == false)
        #expect(foreground.activationWanted(by: app(2)) == false, "the request is queued only once")
        #expect(foreground.activationReleased(by: app(1)) == app(2))
        #expect(foreground.activationReleased(by: app(1)) == nil, "a second release has no effect")
        #expect(foreground.activationReleased(by: app(2)) == app(3))
        #expect(foreground.activationReleased(by: app(3)) == nil)
        #expect(foreground == Foreground())
    }

    @Test func aReleasedRequestLeavesTheQueue() {
        var foreground = Foreground()
        _ = foreground.activationWanted(by: app(1))
        _ = foreground.activationWanted(by: app(2))
        _ = foreground.activationWanted(by: app(3))
        #expect(foreground.activationReleased(by: app(2)) == nil, "the first app is still active")
        #expect(foreground.activationReleased(by: app(1)) == app(3))
    }

    @Test func noAppIsActiveUntilEarlierOnesReconnect() {
        var foreground = Foreground()
        foreground.found(app(1))
        foreground.found(app(2))
        foreground.found(app(2))
        #expect(foreground.activationWanted(by: app(3)) == false)
        #expect(foreground.recoveryResolved(of: app(1), isActive: false) == nil, "one app has not reconnected yet")
        #expect(foreground.recoveryResolved(of: app(2), isActive: false) == app(3))
    }

    @Test func aReconnectedActiveAppHoldsActivation() {
        var foreground = Foreground()
        foreground.found(app(1))
        _ = foreground.activationWanted(by: app(3))
        #expect(foreground.recoveryResolved(of: app(1), isActive: true) == nil)
        #expect(foreground.activationWanted(by: app(2)) == false)
        #expect(foreground.activationReleased(by: app(1)) == app(3))
    }
}
