/// The user's decision about an app's access to the location.
public enum LocationPermission: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user has not decided.
    case ask
    case deny
    case whenInUse
    case always

    /// Whether the app may learn the location at all.
    public var allowsUse: Bool {
        switch self {
        case .ask, .deny: false
        case .whenInUse, .always: true
        }
    }
}

/// A request of an app for its location.
public enum LocationRequest: Hashable, Sendable, Codable {
    /// `startUpdatingLocation`, or a change of the options; nil for `stopUpdatingLocation`.
    case setUpdates(StandardUpdates?)
    /// `startMonitoringSignificantLocationChanges` and `stopMonitoringSignificantLocationChanges`.
    case setChangeMonitoring(Bool)
    /// `requestWhenInUseAuthorization`, or `requestAlwaysAuthorization`.
    case requestPermission(always: Bool)
}

/// A report about the device's location, or an action of the user.
public enum LocationInput: Hashable, Sendable, Codable {
    /// The device has a new position.
    case moved(LocationFix)
    /// The user decides about an app's access to the location.
    case permitted(AppID, LocationPermission)
    /// The source of positions ended by itself, for this reason (at most `LocationInput.longestReason` characters). It
    /// stays off until it is switched on again.
    case receiverEnded(String)

    /// The most characters of the reason why the source of positions ended.
    public static let longestReason = 200

    /// Nil: no location asks for a certain app.
    var appAskedFor: AppID? {
        switch self {
        case .moved, .permitted, .receiverEnded: nil
        }
    }
}

/// Work for the source of the device's positions.
public enum LocationOutput: Hashable, Sendable, Codable, AdapterWork {
    /// Switch the receiver on or off.
    case setReceiver(Bool)

    package var subjectBuiltUpon: RecordSubject? { nil }
    package var subjectInOrder: RecordSubject? { nil }
}

/// The service that a location is told by.
public enum LocationService: String, Hashable, Sendable, Codable, CaseIterable {
    /// Standard updates.
    case updates
    /// Significant changes.
    case changes
}

/// Why an app gets no location; raw values are those of Apple's `CLError`.
public enum LocationFailure: Int32, Hashable, Sendable, Codable, CaseIterable {
    /// The position is not known now; updates go on.
    case unknown = 0
    /// The user does not allow it.
    case denied = 1
}

/// A message to an app about its locations.
public enum LocationNews: Hashable, Sendable, Codable {
    /// The user's decision about the app.
    case permission(LocationPermission)
}

/// A call of an app's code that concerns locations.
public enum LocationCall: Hashable, Sendable, Codable, DeliveredCall {
    /// New positions, oldest first: `locationManager(_:didUpdateLocations:)`.
    case updated([LocationFix], by: LocationService)
    /// `locationManager(_:didFailWithError:)`.
    case failed(LocationFailure)
    /// The user changed the app's permission: `locationManagerDidChangeAuthorization(_:)`.
    case permissionChanged(LocationPermission)
    /// The system has paused the standard updates: `locationManagerDidPauseLocationUpdates(_:)`.
    case paused
    /// The standard updates continue after a pause: `locationManagerDidResumeLocationUpdates(_:)`.
    case resumed

    /// The most positions in a call.
    public static let mostLocations = 1000

    /// The delegate methods, as Apple writes them.
    public enum Method: String, CaseIterable {
        case didUpdateLocations = "locationManager(_:didUpdateLocations:)"
        case didFailWithError = "locationManager(_:didFailWithError:)"
        case didChangeAuthorization = "locationManagerDidChangeAuthorization(_:)"
        case didPauseLocationUpdates = "locationManagerDidPauseLocationUpdates(_:)"
        case didResumeLocationUpdates = "locationManagerDidResumeLocationUpdates(_:)"
    }

    var method: Method {
        switch self {
        case .updated: .didUpdateLocations
        case .failed: .didFailWithError
        case .permissionChanged: .didChangeAuthorization
        case .paused: .didPauseLocationUpdates
        case .resumed: .didResumeLocationUpdates
        }
    }

    func handler(of callback: CallbackID) -> CompletionHandler? { nil }

    /// A new call replaces a queued call of the same kind. An app therefore receives only the newest permission,
    /// and an app that stops and starts a service again and again has one queued call for it. An app that was not told
    /// of a pause yet learns both the pause and its end.
    func replaces(_ older: ConcernCall) -> Bool {
        switch (self, older) {
        case (.permissionChanged, .location(.permissionChanged)): true
        case (.updated(_, let new), .location(.updated(_, let old))): new == old
        case (.failed(let new), .location(.failed(let old))): new == old
        case (.paused, .location(.paused)), (.resumed, .location(.resumed)): true
        case (.updated, _), (.failed, _), (.permissionChanged, _), (.paused, _), (.resumed, _): false
        }
    }

    /// Without permission the app may not learn a position that waits for it.
    func withdraws(_ older: ConcernCall) -> Bool {
        guard case .permissionChanged(let permission) = self, case .location(.updated) = older else { return false }
        return !permission.allowsUse
    }
}

extension LocationNews: AppMessage {
    package func subjectBuiltUpon(for app: AppID) -> RecordSubject? { .location(of: app) }
    package var isProgress: Bool { false }
}
