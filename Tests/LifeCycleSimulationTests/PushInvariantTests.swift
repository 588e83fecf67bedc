import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariant of remote notifications objects to what is wrong, and to nothing that is right.
@Suite struct PushInvariantTests {
    private static let silent = RemoteNotification(payload: "1", isContentAvailable: true)
    private static let other = RemoteNotification(payload: "2", isContentAvailable: true)
    private static let token = DeviceToken(Array(repeating: 7, count: DeviceToken.size))

    private typealias Step = (event: Event, effects: [Effect], time: Int64)

    private func found(_ steps: [Step], _ state: AppState = .background, front: AppID? = nil) -> String? {
        var invariant = PushesKeepTheRules()
        return steps.compactMap {
            invariant.check(observe($0.event, $0.effects, [snapshot(state)], front: front, at: at($0.time)))
        }.first
    }

    private func kept(_ held: RemoteNotification? = nil, token: DeviceToken? = Self.token) -> Effect {
        .store(.concern(.push(PushRecord(app: app(1), token: token, held: held))))
    }

    private func comes(_ notification: RemoteNotification = Self.silent, at time: Int64) -> Step {
        (
            .concern(.notification(.pushArrived(app(1), notification))),
            [.decided(.concern(.push(.delivered(app(1), notification))))], time
        )
    }

    @Test func onlyWhoHasRegisteredGetsAny() {
        #expect(found([comes(at: 1)]) != nil)
        #expect(found([(.device(.homePressed), [kept()], 0), comes(at: 1)]) == nil)
        let gone: Step = (.device(.homePressed), [kept(token: nil)], 1)
        #expect(found([(.device(.homePressed), [kept()], 0), gone, comes(at: 2)]) != nil)
    }

    @Test func silentOnesWakeThreeTimesAnHour() {
        let three: [Step] = [(.device(.homePressed), [kept()], 0), comes(at: 1), comes(at: 2), comes(at: 3)]
        #expect(found(three) == nil)
        #expect(found(three + [comes(at: 3600)]) != nil)
        #expect(found(three + [comes(at: 3601)]) == nil)
        #expect(found(three + [comes(at: 4)], .active) == nil, "in front it gets all of them")
        #expect(found(three + [comes(at: 4)], front: app(1)) == nil, "so it does on its way there")
    }

    @Test func theNewestIsHeldBackAndComesOnce() {
        let registered: Step = (.device(.homePressed), [kept()], 0)
        func held(_ notification: RemoteNotification, keeping: RemoteNotification) -> Step {
            let decision = Effect.decided(.concern(.push(.held(app(1), .throttled, replacing: false))))
            return (.concern(.notification(.pushArrived(app(1), notification))), [kept(keeping), decision], 1)
        }
        #expect(found([registered, held(Self.silent, keeping: Self.silent)]) == nil)
        #expect(found([registered, held(Self.other, keeping: Self.silent)]) != nil, "it is the one before it")
        #expect(found([registered, held(Self.silent, keeping: Self.silent), comes(at: 2)]) != nil, "it is still held")
        let taken: Step = (.device(.homePressed), [kept()], 2)
        #expect(found([registered, held(Self.silent, keeping: Self.silent), taken, comes(at: 2)]) == nil)
    }

    @Test func whatIsForPeopleIsShown() {
        var alert = LocalNotification()
        alert.alertBody = "news"
        let push = RemoteNotification(
            payload: "3", isContentAvailable: false, presentation: RemoteNotification.Presentation(alert))
        let id = NotificationID(app: app(1), number: 1)
        let record = DeliveredRecord(
            id: id, notification: alert, types: .all, fired: .zero, stage: .shown, remote: push)
        let shown: [Effect] = [
            .store(.concern(.notification(.delivered(record)))), .decided(.concern(.notification(.shown(id, .all)))),
        ]
        func comes(_ effects: [Effect]) -> [Step] {
            [(.device(.homePressed), [kept()], 0), (.concern(.notification(.pushArrived(app(1), push))), effects, 1)]
        }
        #expect(found(comes(shown)) == nil)
        #expect(found(comes([])) != nil)
        #expect(
            found(comes([.decided(.concern(.notification(.notShown(id, .notAllowed))))])) == nil, "it is said why not")
        #expect(found(comes(shown), .active, front: app(1)) != nil, "it is in front")
        #expect(found(comes([]), .active, front: app(1)) == nil)
        #expect(found([(.concern(.notification(.pushArrived(app(1), push))), [], 1)]) == nil, "it has not registered")
    }
}
