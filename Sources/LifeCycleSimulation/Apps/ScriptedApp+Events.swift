public import AppCore
public import LifeCycleModel

/// What an app does with events that it is to handle, by its temper.
extension ScriptedApp {
    /// In the middle of a callback the app asks for fetches, or has an opportunity to.
    mutating func useFetches(in call: DelegateCall, random: inout RandomSource, into acts: inout [Act]) {
        if let event = call.event { return take(event, random: &random, into: &acts) }
        if temper.fetches > 0, random.chance(temper.fetches, in: 200) {
            var new: [Step] = []
            core.setRemoteNotifications(
                random.chance(7, in: 8), liftsNewsstandThrottle: launch.number % 2 == 0, into: &new)
            sendOnly(new, into: &acts)
        }
        guard temper.fetches > 0, random.chance(temper.fetches, in: 100) else { return }
        if temper.lies > 0, random.chance(1, in: 4) {
            acts += [.fault(.lie), .send(.eventHandled(CallbackID(Int32(1 + random.below(20))), .newData))]
        }
        let intervals: [Nanoseconds?] = [.zero, .zero, .seconds(600), .seconds(7200), Nanoseconds(.max), nil]
        var new: [Step] = []
        core.setMinimumFetchInterval(intervals[random.below(intervals.count)], into: &new)
        sendOnly(new, into: &acts)
    }

    /// It calls the completion handler at once, later, too late or never.
    private mutating func take(_ event: OpenEvent, random: inout RandomSource, into acts: inout [Act]) {
        let results = BackgroundFetchResult.allCases
        let result = results[random.below(results.count)]
        if random.chance(temper.forgetsHandlers, in: 100) {
            acts.append(.fault(.forgottenHandler))
        } else if random.chance(1, in: 4) {
            handled(event, result, into: &acts)
            if temper.endsTwice > 0, random.chance(1, in: 2) { handled(event, result, into: &acts) }
        } else {
            let longest: Int64 = random.chance(temper.dawdles, in: 100) ? 45_000_000_000 : 8_000_000_000
            acts.append(.handleLater(event, result, Nanoseconds(1 + random.span(upTo: longest))))
        }
    }

    /// The completion handler is called.
    mutating func handled(_ event: OpenEvent, _ result: BackgroundFetchResult, into acts: inout [Act]) {
        var new: [Step] = []
        core.eventHandled(event.callback, event.kind, result, into: &new)
        sendOnly(new, into: &acts)
    }
}

extension DelegateCall {
    /// The event it hands over with a completion handler.
    public var event: OpenEvent? {
        guard case .concern(let call, let id) = self, case .event(let event)? = call.handler(of: id) else { return nil }
        return event
    }
}
