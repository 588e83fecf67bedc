/// A request of an app to background fetch.
public enum FetchRequest: Hashable, Sendable, Codable {
    /// `setMinimumBackgroundFetchInterval`: zero for as often as the system likes, nil for never.
    case setMinimumInterval(Nanoseconds?)
}

/// Something that the user does with background fetch.
public enum FetchInput: Hashable, Sendable, Codable {
    /// The user gives an app an opportunity to fetch, at once.
    case opportunityOffered(AppID)
}
