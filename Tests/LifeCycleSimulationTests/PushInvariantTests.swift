import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariant of remote notifications. The invariant rejects wrong effects, and accepts right ones.
@Suite struct PushInvariantTests {
    private static let silent = RemoteNotification(payload: "1", isContentAvailable: true)
    private static let other = RemoteNotification(payload: "2", isContentAvailable: true)
    private static let token = DeviceToken(Array(repeating: 7, count: DeviceToken.size))

    private typealias Step = (event: Event, effects: [Effect], time: Int64)

    private func found(_ steps: [Step], _ state: AppState = .background, foregroundApp: AppID? = nil) -> String? {
        var invariant = PushesKeepTheRules()
        return steps.compactMap {
            invariant.check(
                observe($0.event, $0.effects, [snapshot(state)], foregroundApp: foregroundApp, at: at($0.time)))
        }.first
    }

    private func id(_ number: Int64) -> PushID { PushID(app: app(1), number: number) }

    private func kept(_ held: Int64? = nil, token: DeviceToken? = Self.token) -> Effect {
        .store(.concern(.push(PushRecord(app: app(1), token: token, held: held.map(id)))))
    }

    /// A push with this number arrives, and the app is called for it.
    private func comes(_ number: Int64 = 1, at time: Int64) -> Step {
        (
            .concern(.notification(.pushArrived(app(1), Self.silent))),
            [.decided(.concern(.push(.delivered(id(number)))))], time
        )
    }

    @Test func pushesToUnregisteredAppsAreFound() {
        #expect(found([comes(at: 1)]) != nil)
        #expect(found([(.device(.homePressed), [kept()], 0), comes(at: 1)]) == nil)
        let gone: Step = (.device(.homePressed), [kept(token: nil)], 1)
        #expect(found([(.device(.homePressed), [kept()], 0), gone, comes(at: 2)]) != nil)
    }

    @Test func silentPushesWakeAnAppThreeTimesAnHour() {
        let three: [Step] = [
            (.device(.homePressed), [kept()], 0), comes(1, at: 1), comes(2, at: 2), comes(3, at: 3),
        ]
        #expect(found(three) == nil)
        #expect(found(three + [comes(4, at: 3600)]) != nil)
        #expect(found(three + [comes(4, at: 3601)]) == nil)
        #expect(found(three + [comes(4, at: 4)], .active) == nil, "the foreground app gets every push")
        #expect(found(three + [comes(4, at: 4)], foregroundApp: app(1)) == nil, "also on its way to the foreground")
    }

    @Test func theNewestIsHeldBackAndComesOnce() {
        let registered: Step = (.device(.homePressed), [kept()], 0)
        func held(_ notification: RemoteNotification, as number: Int64) -> Step {
            let decision = Effect.decided(.concern(.push(.held(app(1), .throttled, replacing: false))))
            return (.concern(.notification(.pushArrived(app(1), notification))), [kept(number), decision], 1)
        }
        let first = held(Self.silent, as: 1)
        #expect(found([registered, first]) == nil)
        #expect(found([registered, first, held(Self.other, as: 2)]) == nil)
        #expect(found([registered, first, held(Self.other, as: 1)]) != nil, "the previous push is still held")
        let released: Effect = .decided(.concern(.push(.delivered(id(1)))))
        #expect(found([registered, first, (.device(.homePressed), [released], 2)]) != nil, "the push is still held")
        #expect(found([registered, first, (.device(.homePressed), [kept(), released], 2)]) == nil)
    }

    /// An id names the push that arrived with it, and no other.
    @Test func anIDNamesOnePush() {
        let registered: Step = (.device(.homePressed), [kept()], 0)
        let call = SystemMessage.callback(CallbackID(1), .concern(.notification(.receivedRemote(.of(id(2))))))
        let called: Step = (.device(.homePressed), [.launch(launch(1), .send(call))], 2)
        #expect(found([registered, comes(1, at: 1), called]) == "push 1.2 has not come")
        #expect(found([registered, comes(2, at: 1), called]) == nil)
        #expect(found([registered, comes(2, at: 1), comes(1, at: 2)]) == "push 1.1 comes after push 2")
    }

    @Test func numbersResumeAtThePersistedOnes() {
        var invariant = PushesKeepTheRules()
        func check(_ step: Step) -> String? {
            invariant.check(observe(step.event, step.effects, [snapshot(.background)], at: at(step.time)))
        }
        let persisted = Effect.store(.concern(.notification(.remote(RemoteRecord(id: id(1))))))
        #expect(check((.device(.homePressed), [kept()], 0)) == nil)
        #expect(
            check((.concern(.notification(.pushArrived(app(1), Self.silent))), [persisted, kept(1)], 1)) == nil)
        #expect(check(comes(2, at: 2)) == nil)
        invariant.systemRestarted()
        #expect(check(comes(2, at: 3)) == nil, "the second was not persisted")
        #expect(check((.device(.homePressed), [kept(), .decided(.concern(.push(.delivered(id(1)))))], 4)) == nil)
    }

    @Test func visiblePushesMustBeDisplayed() {
        var alert = LocalNotification()
        alert.alertBody = "news"
        let push = RemoteNotification(
            payload: "3", isContentAvailable: false, presentation: RemoteNotification.Presentation(alert))
        let id = NotificationID(app: app(1), number: 1)
        let record = DeliveredRecord(
            id: id, notification: alert, types: .all, fired: .zero, stage: .shown, push: self.id(1))
        let shown: [Effect] = [
            .store(.concern(.notification(.delivered(record)))), .decided(.concern(.notification(.shown(id, .all)))),
        ]
        func comes(_ effects: [Effect]) -> [Step] {
            [(.device(.homePressed), [kept()], 0), (.concern(.notification(.pushArrived(app(1), push))), effects, 1)]
        }
        #expect(found(comes(shown)) == nil)
        #expect(found(comes([])) != nil)
        #expect(
            found(comes([.decided(.concern(.notification(.notShown(id, .notAllowed))))])) == nil, "a reason is given")
        #expect(found(comes(shown), .active, foregroundApp: app(1)) != nil, "the app is in the foreground")
        #expect(found(comes([]), .active, foregroundApp: app(1)) == nil)
        #expect(found([(.concern(.notification(.pushArrived(app(1), push))), [], 1)]) == nil, "it is not registered")
    }
}
