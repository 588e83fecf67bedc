import AppCore
public import Foundation
import LifeCycleModel

/// Background fetch.
extension UIApplication {
    /// As often as the system likes.
    nonisolated public static let backgroundFetchIntervalMinimum: TimeInterval = 0
    /// Never, as it is until something else is asked for.
    nonisolated public static let backgroundFetchIntervalNever: TimeInterval = .greatestFiniteMagnitude

    /// How many seconds are to pass between two opportunities to fetch at least. The app has to declare `fetch` in
    /// `UIBackgroundModes`; what it asked for last is kept, also over its end. Opportunities come no more often, and perhaps
    /// less often or never: it is the system that knows when the device is awake, and what the fetches have brought.
    public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
        if let warning = Self.warning(of: AppRunner.current?.info ?? [:]) { session.log(warning) }
        let interval = Self.interval(minimumBackgroundFetchInterval)
        session.ask { $0.setMinimumFetchInterval(interval, into: &$1) }
    }

    /// What keeps an app with this property list from any fetch; it is the system that decides.
    static func warning(of info: [String: Any]) -> String? {
        guard (info["UIBackgroundModes"] as? [String])?.contains("fetch") == true else {
            return "setMinimumBackgroundFetchInterval(_:) has no effect: add \"fetch\" to the list of "
                + "UIBackgroundModes in Info.plist."
        }
        guard info["BGTaskSchedulerPermittedIdentifiers"] != nil else { return nil }
        return "setMinimumBackgroundFetchInterval(_:) has no effect from iOS 13 on: "
            + "BGTaskSchedulerPermittedIdentifiers in Info.plist turns background fetch off."
    }

    /// Nil for never: what does not fit into nanoseconds is longer than any device lasts.
    static func interval(_ seconds: TimeInterval) -> Nanoseconds? {
        if seconds.isNaN || seconds <= 0 { return .zero }
        return Int64(exactly: (seconds * 1_000_000_000).rounded()).map { Nanoseconds($0) }
    }
}

extension Teller {
    /// Calls the app's delegate to fetch.
    func tell(_ call: FetchCall, by callback: CallbackID) {
        switch call {
        case .performFetch:
            let handler = session.handler(of: .backgroundFetch, by: callback)
            guard let delegate = application.delegate else { return handler(.noData) }
            delegate.application(application, performFetchWithCompletionHandler: handler)
        }
    }
}

/// What a background fetch has brought; the numbers are Apple's.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// New content.
    case newData = 0
    /// Nothing new.
    case noData = 1
    /// It failed.
    case failed = 2
}

extension BackgroundFetchResult {
    init(_ result: UIBackgroundFetchResult) {
        self =
            switch result {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed
            }
    }
}
