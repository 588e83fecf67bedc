public import LifeCycleModel

/// The fetch interval that the app has set in this launch; nil if the app has set no interval.
struct FetchIntervalSetting: AppConcern {
    fileprivate var interval: Nanoseconds??

    func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .called, .received: break
        case .connectedAgain: say(into: &steps)
        }
    }

    fileprivate func say(into steps: inout [Step]) {
        if let interval { steps.append(.send(.concern(.fetch(.setMinimumInterval(interval))))) }
    }
}

extension AppCore {
    /// `setMinimumBackgroundFetchInterval`: zero for as often as the system allows, nil for never.
    public mutating func setMinimumFetchInterval(_ interval: Nanoseconds?, into steps: inout [Step]) {
        concerns.fetch.interval = .some(interval)
        concerns.fetch.say(into: &steps)
    }
}
