import LifeCycleModel

/// The wire format of locations.
enum LocationWords: WireConcern {
    static let setUpdates = "roost.App.SetLocationUpdates"
    static let requestLocation = "roost.App.RequestLocation"
    static let monitorChanges = "roost.App.MonitorLocationChanges"
    static let monitorRegion = "roost.App.MonitorLocationRegion"
    static let stopRegion = "roost.App.StopLocationRegion"
    static let requestStates = "roost.App.RequestLocationRegionStates"
    static let setBackgroundActivity = "roost.App.SetBackgroundActivity"
    static let requestPermission = "roost.App.RequestLocationPermission"
    static let interface = ConcernInterface(
        kinds: LocationCall.Kind.allCases.map(\.rawValue),
        members: [
            .init("locations", "[]Location"), .init("service", "(updates, changes, request)"), .init("code", "int"),
            .init("permission", "LocationPermission"), .init("region", "string"),
            .init("states", "[]LocationRegionState"),
        ],
        messages: [
            .init("locationPermission", "LocationPermission"), .init("locationRegions", "[]LocationRegion"),
        ], app: PackageResources.Location_App_varlink,
        control: PackageResources.Location_Control_varlink)

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        switch method {
        case setUpdates: .location(.setUpdates(try parameters.standardUpdates()))
        case requestLocation: .location(.requestLocation(try parameters["wanted"].bool()))
        case monitorChanges: .location(.setChangeMonitoring(try parameters["wanted"].bool()))
        case monitorRegion: .location(.monitorRegion(try LocationRegion(parameters["region"])))
        case stopRegion: .location(.stopRegion(try parameters["identifier"].identifier()))
        case requestStates: .location(.requestRegionStates)
        case setBackgroundActivity: .location(.setBackgroundActivity(try parameters["wanted"].bool()))
        case requestPermission: .location(.requestPermission(always: try parameters["always"].bool()))
        default: nil
        }
    }

    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall? {
        guard let kind = LocationCall.Kind(rawValue: kind) else { return nil }
        return .location(try LocationCall(kind, fields))
    }

    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage? {
        switch field.name {
        case "locationPermission": .location(.permission(try field.choice()))
        case "locationRegions": .location(.regions(try field.regions()))
        default: nil
        }
    }

    static func act(_ method: String, _ parameters: JSONField) throws(WireError) -> (any ControlAct)? {
        try LocationControl(method, parameters)
    }

    static func sent(_ request: ConcernRequest) -> VarlinkCall? {
        if case .location(let request) = request { request.call } else { nil }
    }

    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON? {
        if case .location(let call) = call { call.json(id) } else { nil }
    }

    static func sent(_ message: ConcernMessage) -> VarlinkReply? {
        guard case .location(let news) = message else { return nil }
        return switch news {
        case .permission(let permission):
            VarlinkReply(["locationPermission": .string(permission.rawValue)], continues: true)
        case .regions(let regions):
            VarlinkReply(["locationRegions": .array(regions.map(\.json))], continues: true)
        }
    }
}

extension LocationRequest {
    fileprivate var call: VarlinkCall {
        switch self {
        case .setUpdates(let options):
            VarlinkCall(
                LocationWords.setUpdates,
                [
                    "allowsBackground": options.map { .bool($0.allowsBackground) },
                    "distanceFilter": options.map { .integer($0.distanceFilter) },
                    "pausesAutomatically": options.map { .bool($0.pausesAutomatically) },
                    "showsIndicator": options.map { .bool($0.showsIndicator) },
                ], oneway: true)
        case .requestLocation(let isWanted):
            VarlinkCall(LocationWords.requestLocation, ["wanted": .bool(isWanted)], oneway: true)
        case .setChangeMonitoring(let isWanted):
            VarlinkCall(LocationWords.monitorChanges, ["wanted": .bool(isWanted)], oneway: true)
        case .monitorRegion(let region):
            VarlinkCall(LocationWords.monitorRegion, ["region": region.json], oneway: true)
        case .stopRegion(let identifier):
            VarlinkCall(LocationWords.stopRegion, ["identifier": .string(identifier)], oneway: true)
        case .requestRegionStates: VarlinkCall(LocationWords.requestStates, [:], oneway: true)
        case .setBackgroundActivity(let isWanted):
            VarlinkCall(LocationWords.setBackgroundActivity, ["wanted": .bool(isWanted)], oneway: true)
        case .requestPermission(let always):
            VarlinkCall(LocationWords.requestPermission, ["always": .bool(always)], oneway: true)
        }
    }
}

extension LocationCall {
    fileprivate enum Kind: String, CaseIterable {
        case didUpdateLocations, didFailWithError, didChangeAuthorization
        case didPauseLocationUpdates, didResumeLocationUpdates
        case didEnterRegion, didExitRegion, didDetermineState
    }

    fileprivate init(_ kind: Kind, _ fields: JSONField) throws(WireError) {
        self =
            switch kind {
            case .didUpdateLocations:
                try fields["service"].isRequest()
                    ? .located(try fields["locations"].location())
                    : .updated(try fields["locations"].locations(), by: try fields["service"].choice())
            case .didFailWithError:
                try fields["service"].ifGiven?.isRequest() == true
                    ? .located(nil) : .failed(try fields["code"].code())
            case .didChangeAuthorization: .permissionChanged(try fields["permission"].choice())
            case .didPauseLocationUpdates: .paused
            case .didResumeLocationUpdates: .resumed
            case .didEnterRegion: .crossed(try fields["region"].identifier(), isInside: true)
            case .didExitRegion: .crossed(try fields["region"].identifier(), isInside: false)
            case .didDetermineState: .regionStates(try fields["states"].regionStates())
            }
    }

    fileprivate func json(_ id: CallbackID) -> JSON {
        func json(_ kind: Kind, _ members: KeyValuePairs<String, JSON?>) -> JSON {
            .callback(id, kind.rawValue, members)
        }
        return switch self {
        case .updated(let fixes, let service):
            json(
                .didUpdateLocations,
                ["locations": .array(fixes.map(\.json)), "service": .string(service.rawValue)])
        case .located(let fix?):
            json(.didUpdateLocations, ["locations": .array([fix.json]), "service": .string(JSONField.request)])
        case .located(nil):
            json(
                .didFailWithError,
                ["code": .integer(Int64(LocationFailure.unknown.rawValue)), "service": .string(JSONField.request)])
        case .failed(let failure): json(.didFailWithError, ["code": .integer(Int64(failure.rawValue))])
        case .permissionChanged(let permission):
            json(.didChangeAuthorization, ["permission": .string(permission.rawValue)])
        case .paused: json(.didPauseLocationUpdates, [:])
        case .resumed: json(.didResumeLocationUpdates, [:])
        case .crossed(let region, let isInside):
            json(isInside ? .didEnterRegion : .didExitRegion, ["region": .string(region)])
        case .regionStates(let states): json(.didDetermineState, ["states": .array(states.map(\.json))])
        }
    }
}

extension JSONField {
    /// Nil without a distance filter. What else is not given has its default.
    fileprivate func standardUpdates() throws(WireError) -> StandardUpdates? {
        guard let filter = try self["distanceFilter"].ifGiven?.count() else { return nil }
        var updates = StandardUpdates(distanceFilter: filter)
        if let flag = self["allowsBackground"].ifGiven { updates.allowsBackground = try flag.bool() }
        if let flag = self["pausesAutomatically"].ifGiven { updates.pausesAutomatically = try flag.bool() }
        if let flag = self["showsIndicator"].ifGiven { updates.showsIndicator = try flag.bool() }
        return updates
    }

    fileprivate func locations() throws(WireError) -> [LocationFix] {
        let fields = try list()
        guard !fields.isEmpty else { throw .invalidParameter(field: name, problem: "is empty") }
        guard fields.count <= LocationCall.mostLocations else {
            throw .invalidParameter(field: name, problem: "has more than \(LocationCall.mostLocations) positions")
        }
        var fixes: [LocationFix] = []
        for field in fields { fixes.append(try LocationFix(field)) }
        return fixes
    }

    /// The value of `service` in the answer to a request.
    fileprivate static let request = "request"

    fileprivate func isRequest() throws(WireError) -> Bool { try string() == Self.request }

    /// The only element.
    fileprivate func location() throws(WireError) -> LocationFix {
        let fixes = try locations()
        guard fixes.count == 1 else { throw .invalidParameter(field: name, problem: "has more than one position") }
        return fixes[0]
    }
}
