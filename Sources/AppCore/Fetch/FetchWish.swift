public import LifeCycleModel

/// How often the app wants to fetch, if it has said so in this launch.
struct FetchWish: Hashable, Sendable {
    fileprivate var interval: Nanoseconds??

    var repeats: [AppRequest] { interval.map { [.concern(.fetch(.setMinimumInterval($0)))] } ?? [] }
}

extension AppCore {
    /// `setMinimumBackgroundFetchInterval`: zero for as often as the system likes, nil for never.
    public mutating func setMinimumFetchInterval(_ interval: Nanoseconds?, into steps: inout [Step]) {
        concerns.fetch.interval = .some(interval)
        steps += concerns.fetch.repeats.map { .send($0) }
    }
}
