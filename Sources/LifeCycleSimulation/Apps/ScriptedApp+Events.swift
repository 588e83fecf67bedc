public import AppCore
public import LifeCycleModel

/// An app's handling of events with a completion handler, by its behavior profile.
extension ScriptedApp {
    /// In the middle of a callback, the app handles an event or requests fetches.
    mutating func useFetches(in call: DelegateCall, random: inout RandomSource, into acts: inout [Act]) {
        if let event = call.event { return take(event, random: &random, into: &acts) }
        if profile.fetches > 0, random.chance(profile.fetches, in: 200) {
            var new: [Step] = []
            core.setRemoteNotifications(
                random.chance(7, in: 8), liftsNewsstandThrottle: launch.number % 2 == 0, into: &new)
            sendOnly(new, into: &acts)
        }
        guard profile.fetches > 0, random.chance(profile.fetches, in: 100) else { return }
        if profile.lies > 0, random.chance(1, in: 4) {
            acts += [.fault(.lie), .send(.eventHandled(CallbackID(Int32(1 + random.below(20))), .newData))]
        }
        let intervals: [Nanoseconds?] = [.zero, .zero, .seconds(600), .seconds(7200), Nanoseconds(.max), nil]
        var new: [Step] = []
        core.setMinimumFetchInterval(intervals[random.below(intervals.count)], into: &new)
        sendOnly(new, into: &acts)
    }

    /// Calls the completion handler at once, later, too late or never.
    private mutating func take(_ event: OpenEvent, random: inout RandomSource, into acts: inout [Act]) {
        let results = BackgroundFetchResult.allCases
        let result = results[random.below(results.count)]
        if random.chance(profile.forgetsHandlers, in: 100) {
            acts.append(.fault(.forgottenHandler))
        } else if random.chance(1, in: 4) {
            handled(event, result, into: &acts)
            if profile.endsTwice > 0, random.chance(1, in: 2) { handled(event, result, into: &acts) }
        } else {
            let longest: Int64 = random.chance(profile.dawdles, in: 100) ? 45_000_000_000 : 8_000_000_000
            acts.append(.handleLater(event, result, Nanoseconds(1 + random.span(upTo: longest))))
        }
    }

    /// Calls the completion handler.
    mutating func handled(_ event: OpenEvent, _ result: BackgroundFetchResult, into acts: inout [Act]) {
        var new: [Step] = []
        core.eventHandled(event.callback, event.kind, result, into: &new)
        sendOnly(new, into: &acts)
    }
}

extension DelegateCall {
    /// The event that the call delivers with a completion handler; nil if the call has no completion handler.
    public var event: OpenEvent? {
        guard case .concern(let call, let id) = self, case .event(let event)? = call.handler(of: id) else { return nil }
        return event
    }
}
