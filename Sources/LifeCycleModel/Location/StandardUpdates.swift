/// Standard updates, as an app asks for them.
public struct StandardUpdates: Hashable, Sendable, Codable {
    /// The least distance between two updates, in centimetres; 0 for all updates.
    public var distanceFilter: Int64
    /// `allowsBackgroundLocationUpdates`: whether the updates continue in the background.
    public var allowsBackground: Bool
    /// `pausesLocationUpdatesAutomatically`: whether the system may pause the updates in the background.
    public var pausesAutomatically: Bool
    /// `showsBackgroundLocationIndicator`: whether the user sees the indicator also with the permission `always`.
    public var showsIndicator: Bool

    /// A negative filter is no filter.
    public init(
        distanceFilter: Int64 = 0, allowsBackground: Bool = false, pausesAutomatically: Bool = true,
        showsIndicator: Bool = false
    ) {
        self.distanceFilter = max(0, distanceFilter)
        self.allowsBackground = allowsBackground
        self.pausesAutomatically = pausesAutomatically
        self.showsIndicator = showsIndicator
    }
}
