/// A request of an app to background fetch.
public enum FetchRequest: Hashable, Sendable, Codable {
    /// `setMinimumBackgroundFetchInterval`: zero for as often as the system allows, nil for never.
    case setMinimumInterval(Nanoseconds?)
}

/// An action of the user on background fetch.
public enum FetchInput: Hashable, Sendable, Codable {
    /// An app is offered an opportunity to fetch at once.
    case opportunityOffered(AppID)

    /// Nil: the system makes the offer, after the user asked for the launch by an event of the device.
    var appAskedFor: AppID? {
        switch self {
        case .opportunityOffered: nil
        }
    }
}

/// A call of an app's code that concerns background fetch.
public enum FetchCall: Hashable, Sendable, Codable, DeliveredCall {
    /// The app has an opportunity to fetch: `application(_:performFetchWithCompletionHandler:)`.
    case performFetch

    /// The delegate methods, as Apple writes them.
    public enum Method: String, CaseIterable {
        case performFetch = "application(_:performFetchWithCompletionHandler:)"
    }

    var method: Method {
        switch self {
        case .performFetch: .performFetch
        }
    }

    func handler(of callback: CallbackID) -> CompletionHandler? {
        .event(OpenEvent(callback: callback, kind: .backgroundFetch))
    }

    func replaces(_ older: ConcernCall) -> Bool { older == .fetch(self) }
    func withdraws(_ older: ConcernCall) -> Bool { false }
}
