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
    /// `requestLocation`; false if no manager waits for the position any longer.
    case requestLocation(Bool)
    /// `startMonitoringSignificantLocationChanges` and `stopMonitoringSignificantLocationChanges`.
    case setChangeMonitoring(Bool)
    /// `startMonitoring(for:)`. A region of the same identifier is replaced.
    case monitorRegion(LocationRegion)
    /// `stopMonitoring(for:)`, by the region's identifier.
    case stopRegion(String)
    /// `requestState(for:)`: asks for the states of all monitored regions.
    case requestRegionStates
    /// The app has a background activity session from now on; false if its last one ends.
    case setBackgroundActivity(Bool)
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
    /// The regions that the app monitors. They outlive its process.
    case regions([LocationRegion])
}

/// A call of an app's code that concerns locations.
public enum LocationCall: Hashable, Sendable, Codable, DeliveredCall {
    /// New positions, oldest first: `locationManager(_:didUpdateLocations:)`.
    case updated([LocationFix], by: LocationService)
    /// The answer to `requestLocation`: `locationManager(_:didUpdateLocations:)`, or
    /// `locationManager(_:didFailWithError:)` if the position is not known.
    indirect case located(LocationFix?)
    /// `locationManager(_:didFailWithError:)`.
    case failed(LocationFailure)
    /// The user changed the app's permission: `locationManagerDidChangeAuthorization(_:)`.
    case permissionChanged(LocationPermission)
    /// The system has paused the standard updates: `locationManagerDidPauseLocationUpdates(_:)`.
    case paused
    /// The standard updates continue after a pause: `locationManagerDidResumeLocationUpdates(_:)`.
    case resumed
    /// The device has entered a monitored region, or left it, by the region's identifier:
    /// `locationManager(_:didEnterRegion:)` and `locationManager(_:didExitRegion:)`.
    case crossed(String, isInside: Bool)
    /// The states of all monitored regions: `locationManager(_:didDetermineState:for:)`.
    case regionStates([LocationRegionState])

    /// The most positions in a call.
    public static let mostLocations = 1000

    /// The delegate methods, as Apple writes them.
    public enum Method: String, CaseIterable {
        case didUpdateLocations = "locationManager(_:didUpdateLocations:)"
        case didFailWithError = "locationManager(_:didFailWithError:)"
        case didChangeAuthorization = "locationManagerDidChangeAuthorization(_:)"
        case didPauseLocationUpdates = "locationManagerDidPauseLocationUpdates(_:)"
        case didResumeLocationUpdates = "locationManagerDidResumeLocationUpdates(_:)"
        case didEnterRegion = "locationManager(_:didEnterRegion:)"
        case didExitRegion = "locationManager(_:didExitRegion:)"
        case didDetermineState = "locationManager(_:didDetermineState:for:)"
    }

    var method: Method {
        switch self {
        case .updated, .located(.some): .didUpdateLocations
        case .failed, .located(nil): .didFailWithError
        case .permissionChanged: .didChangeAuthorization
        case .paused: .didPauseLocationUpdates
        case .resumed: .didResumeLocationUpdates
        case .crossed(_, isInside: true): .didEnterRegion
        case .crossed(_, isInside: false): .didExitRegion
        case .regionStates: .didDetermineState
        }
    }

    func handler(of callback: CallbackID) -> CompletionHandler? { nil }

    /// A new call replaces a queued call of the same kind. An app therefore receives only the newest permission,
    /// and an app that stops and starts a service again and again has one queued call for it. An app that was not told
    /// of a pause yet learns both the pause and its end. Of a region it learns the newest crossing.
    func replaces(_ older: ConcernCall) -> Bool {
        switch (self, older) {
        case (.permissionChanged, .location(.permissionChanged)): true
        case (.updated(_, let new), .location(.updated(_, let old))): new == old
        case (.located, .location(.located)): true
        case (.failed(let new), .location(.failed(let old))): new == old
        case (.paused, .location(.paused)), (.resumed, .location(.resumed)): true
        case (.crossed(let new, _), .location(.crossed(let old, _))): new == old
        case (.regionStates, .location(.regionStates)): true
        case (.updated, _), (.located, _), (.failed, _), (.permissionChanged, _), (.paused, _), (.resumed, _),
            (.crossed, _), (.regionStates, _):
            false
        }
    }

    /// Without permission the app may not learn a position or a crossing that waits for it. An app that the user
    /// allows the location again before it was told of the denial is not told of it.
    func withdraws(_ older: ConcernCall) -> Bool {
        guard case .permissionChanged(let permission) = self, case .location(let older) = older else { return false }
        return permission.allowsUse ? older == .failed(.denied) : older.tellsThePlace
    }

    /// Whether the app learns from the call where the device is.
    package var tellsThePlace: Bool {
        switch self {
        case .updated, .located(.some), .crossed, .regionStates: true
        case .located(nil), .failed, .permissionChanged, .paused, .resumed: false
        }
    }
}

extension LocationNews: AppMessage {
    package func subjectBuiltUpon(for app: AppID) -> RecordSubject? { .location(of: app) }
    package var isProgress: Bool { false }
}
