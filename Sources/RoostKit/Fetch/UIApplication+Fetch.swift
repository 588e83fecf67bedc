import AppCore
public import Foundation
import LifeCycleModel

/// Background fetch.
extension UIApplication {
    /// A minimum interval of 0 seconds: fetches come as often as the system allows.
    nonisolated public static let backgroundFetchIntervalMinimum: TimeInterval = 0
    /// An interval that means never, which is the default.
    nonisolated public static let backgroundFetchIntervalNever: TimeInterval = .greatestFiniteMagnitude

    /// Sets the minimum time between two background fetches, in seconds.
    ///
    /// The app must declare `fetch` in `UIBackgroundModes`. The system persists the last value beyond the app's end.
    /// Fetches may come less often than this, or never. The system alone knows when the device is awake and whether
    /// earlier fetches were productive.
    public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
        if let warning = Self.warning(of: AppRunner.current?.info ?? [:]) { session.log(warning) }
        let interval = Self.interval(minimumBackgroundFetchInterval)
        session.ask { $0.setMinimumFetchInterval(interval, into: &$1) }
    }

    /// A warning that an app with this property list gets no fetches; nil if it may. The decision itself is the
    /// system's.
    static func warning(of info: [String: Any]) -> String? {
        guard (info["UIBackgroundModes"] as? [String])?.contains("fetch") == true else {
            return "setMinimumBackgroundFetchInterval(_:) has no effect: add \"fetch\" to the list of "
                + "UIBackgroundModes in Info.plist."
        }
        guard info["BGTaskSchedulerPermittedIdentifiers"] != nil else { return nil }
        return "setMinimumBackgroundFetchInterval(_:) has no effect from iOS 13 on: "
            + "BGTaskSchedulerPermittedIdentifiers in Info.plist turns background fetch off."
    }

    /// An interval in nanoseconds; nil for never, which is any interval too long for nanoseconds.
    static func interval(_ seconds: TimeInterval) -> Nanoseconds? {
        if seconds.isNaN || seconds <= 0 { return .zero }
        return Int64(exactly: (seconds * 1_000_000_000).rounded()).map { Nanoseconds($0) }
    }
}

extension DelegateCaller {
    /// Calls the delegate's fetch method.
    func tell(_ call: FetchCall, by callback: CallbackID) {
        switch call {
        case .performFetch:
            let handler = session.handler(of: .backgroundFetch, by: callback)
            guard let delegate = application.delegate else { return handler(.noData) }
            delegate.application(application, performFetchWithCompletionHandler: handler)
        }
    }
}

/// The result of a background fetch; raw values are Apple's.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// The fetch brought new content.
    case newData = 0
    /// There was nothing new.
    case noData = 1
    /// The app tried to fetch and could not.
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
