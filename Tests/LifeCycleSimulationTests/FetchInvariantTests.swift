import LifeCycleModel
import Testing

@testable import LifeCyclePolicy
@testable import LifeCycleSimulation

/// The invariants of wake events and of background fetch. The invariants reject wrong effects, and accept right ones.
@Suite struct FetchInvariantTests {
    private let performFetch = send(3, .concern(.fetch(.performFetch)))
    private let kill = Effect.launch(launch(), .kill(.eventNotHandled(.backgroundFetch)))
    private let handled = Event.app(launch(), .requested(.eventHandled(CallbackID(3), .newData)))
    private let counted = Effect.decided(.launch(launch(), .eventHandled(.backgroundFetch, .newData, after: .zero)))

    // MARK: Events are handled

    private func events(_ steps: [(Event, [Effect], Int64)], _ state: AppState = .background) -> String? {
        var invariant = EventsAreHandled()
        return steps.compactMap {
            invariant.check(observe($0.0, $0.1, [snapshot(state)], at: at($0.2)))
        }.first
    }

    @Test func anUnhandledEventMustCauseAKill() {
        let called: (Event, [Effect], Int64) = (.device(.homePressed), [performFetch], 0)
        #expect(events([called, (.deadlineReached, [], 29)]) == nil)
        #expect(events([called, (.deadlineReached, [], 30)]) != nil)
        #expect(events([called, (handled, [counted], 29), (.deadlineReached, [], 40)]) == nil)
        #expect(events([called, (.deadlineReached, [kill], 30), (.deadlineReached, [], 40)]) == nil)
        #expect(events([called, (.deadlineReached, [kill], 29)]) != nil, "the time limit is not reached")
        #expect(events([(.deadlineReached, [kill], 30)]) != nil, "no event was delivered")
        #expect(
            events([called, (.device(.homePressed), [send(4, .willEnterForeground)], 5), (.deadlineReached, [], 40)])
                == nil)
        #expect(events([called, (.deadlineReached, [], 40)], .active) == nil, "no time limit in the foreground")
    }

    @Test func aHandlerCallCountsOnce() {
        let called: (Event, [Effect], Int64) = (.device(.homePressed), [performFetch], 0)
        let late = Effect.decided(.launch(launch(), .ignoredLate))
        #expect(events([called, (handled, [counted], 1), (handled, [late], 2)]) == nil)
        #expect(events([called, (handled, [counted], 1), (handled, [counted], 2)]) != nil)
        #expect(events([(handled, [counted], 1)]) != nil)
    }

    // MARK: Fetches keep the rules

    private func fetches(
        _ steps: [(Event, [Effect], Int64)], _ change: (inout Policy) -> Void = { _ in }
    ) -> String? {
        var policy = Policy.iOS26
        change(&policy)
        var invariant = FetchesKeepTheRules()
        return steps.compactMap {
            invariant.check(observe($0.0, $0.1, [snapshot(.background)], Device(policy: policy), at: at($0.2)))
        }.first
    }

    private func wants(_ number: Int32 = 1, every seconds: Int64 = 0) -> (Event, [Effect], Int64) {
        let record = FetchRecord(app: app(number), minimumInterval: .seconds(seconds), last: at(0))
        return (.device(.homePressed), [.store(.concern(.fetch(.client(record))))], 0)
    }

    private func offered(_ number: Int32 = 1, at time: Int64) -> (Event, [Effect], Int64) {
        (.deadlineReached, [.decided(.concern(.fetch(.offered(app(number), late: .zero))))], time)
    }

    @Test func noSoonerThanAsked() {
        let done: (Event, [Effect], Int64) = (handled, [counted], 1000)
        #expect(fetches([offered(at: 1000)]) != nil, "the app has not requested fetches")
        #expect(fetches([wants(), offered(at: 1000), done, offered(at: 1900)]) == nil)
        #expect(fetches([wants(), offered(at: 1000), done, offered(at: 1899)]) != nil, "less than the minimum")
        #expect(fetches([wants(every: 3600), offered(at: 1000), done, offered(at: 4599)]) != nil)
        #expect(fetches([wants(every: 3600), offered(at: 1000), done, offered(at: 4600)]) == nil)
    }

    @Test func fetchesAtOnceAreLimited() {
        let two = [wants(1), wants(2), offered(1, at: 1000)]
        #expect(fetches(two + [offered(2, at: 1000)]) == nil)
        #expect(fetches(two + [offered(2, at: 1000)]) { $0.fetchesAtOnce = 1 } != nil)
        #expect(fetches(two + [(handled, [counted], 1001), offered(2, at: 1001)]) { $0.fetchesAtOnce = 1 } == nil)
    }

    @Test func aFetchBeyondTheDailyTimeIsFound() {
        let spent = (
            Event.deadlineReached, [Effect.decided(.concern(.fetch(.spent(app(1), until: at(5000)))))], Int64(1000)
        )
        #expect(fetches([wants(), spent, offered(at: 4999)]) != nil)
        #expect(fetches([wants(), spent, offered(at: 5000)]) == nil)
        #expect(fetches([wants(), spent, (.device(.clockWasSet), [], 1001), offered(at: 4999)]) == nil)
    }

    @Test(arguments: [
        (Event.device(.settingChanged(.lowPowerMode(true))), Event.device(.settingChanged(.lowPowerMode(false)))),
        (.device(.settingChanged(.lowDataMode(true))), .device(.settingChanged(.lowDataMode(false)))),
        (.device(.settingChanged(.network(.none))), .device(.settingChanged(.network(.cellular)))),
        (.device(.settingChanged(.batteryLevel(19))), .device(.settingChanged(.power(.external)))),
        (.device(.networkChanged(isConnected: false)), .device(.networkChanged(isConnected: true))),
    ]) func aFetchAgainstASettingIsFound(_ off: Event, _ on: Event) {
        let before: [(Event, [Effect], Int64)] = [
            (.device(.settingChanged(.power(.battery))), [], 0), wants(), (off, [], 1),
        ]
        #expect(fetches(before + [offered(at: 1000)]) != nil)
        #expect(fetches(before + [(on, [], 2), offered(at: 1000)]) == nil)
    }

    // MARK: Wakes follow the rules

    private func wakes(
        _ manifest: AppManifest, _ before: [Event], _ effect: Effect, _ policy: Policy = .iOS26
    ) -> String? {
        var wakes = WakesFollowTheRules()
        let offer = Effect.decided(.concern(.fetch(.offered(app(1), late: .zero))))
        let steps: [(Event, [Effect])] =
            [(.device(.appInstalled(app(1), manifest)), [])] + before.map { ($0, []) } + [
                (.deadlineReached, [offer, effect])
            ]
        return steps.compactMap { wakes.check($0.0, $0.1, policy: policy) }.first
    }

    @Test func anOpportunityIsAWake() {
        let launched = Effect.launch(launch(), .start(.backgroundFetch))
        let fetching = manifest(modes: [.fetch])
        #expect(wakes(fetching, [], launched) == nil)
        #expect(wakes(fetching, [], .launch(launch(), .start(.locationMonitoring))) != nil)
        #expect(wakes(manifest(modes: [.location]), [], launched) != nil)
        #expect(wakes(manifest(modes: [.fetch], taskIdentifiers: []), [], launched) != nil)
        #expect(wakes(manifest(modes: [.fetch], taskIdentifiers: []), [], launched, .iOS7) == nil)
        #expect(wakes(manifest(modes: [.fetch], isAdopted: true), [], launched) != nil)
        for event in [
            Event.device(.appForceQuit(app(1))), .device(.settingChanged(.backgroundRefresh(false))),
            .device(.shutdownBegan),
            .device(.backgroundRefreshChanged(app(1), false)), .device(.appUninstalled(app(1))),
        ] { #expect(wakes(fetching, [event], launched) != nil, "\(event)") }
    }
}
