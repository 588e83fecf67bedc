import LifeCycleModel

/// The wire format of monitored regions.
extension LocationRegion {
    /// Reads an object. Throws if it cannot be monitored.
    init(_ fields: JSONField) throws(WireError) {
        let region = Self(
            identifier: try fields["identifier"].identifier(), latitude: try fields["latitude"].whole(Int32.self),
            longitude: try fields["longitude"].whole(Int32.self), radius: try fields["radius"].count(),
            notifiesOnEntry: try fields["notifiesOnEntry"].bool(), notifiesOnExit: try fields["notifiesOnExit"].bool())
        guard let region else {
            throw .invalidParameter(
                field: fields.name,
                problem:
                    "is no region: its center is not on the earth, or its radius is not from 1 to \(Self.longestRadius)"
            )
        }
        self = region
    }

    var json: JSON {
        .object([
            "identifier": .string(identifier), "latitude": .integer(Int64(latitude)),
            "longitude": .integer(Int64(longitude)), "notifiesOnEntry": .bool(notifiesOnEntry),
            "notifiesOnExit": .bool(notifiesOnExit), "radius": .integer(radius),
        ])
    }
}

extension LocationRegionState {
    fileprivate init(_ fields: JSONField) throws(WireError) {
        self.init(region: try fields["region"].identifier(), isInside: try fields["isInside"].ifGiven?.bool())
    }

    var json: JSON { .object(["isInside": isInside.map { .bool($0) }, "region": .string(region)]) }
}

extension JSONField {
    /// The identifier of a region.
    func identifier() throws(WireError) -> String {
        let text = try string()
        guard text.utf8.count <= LocationRegion.longestIdentifier else {
            throw .invalidParameter(field: name, problem: "is longer than \(LocationRegion.longestIdentifier) bytes")
        }
        return text
    }

    func regions() throws(WireError) -> [LocationRegion] {
        var regions: [LocationRegion] = []
        for field in try ofRegions() { regions.append(try LocationRegion(field)) }
        return regions
    }

    func regionStates() throws(WireError) -> [LocationRegionState] {
        var states: [LocationRegionState] = []
        for field in try ofRegions() { states.append(try LocationRegionState(field)) }
        return states
    }

    private func ofRegions() throws(WireError) -> [JSONField] {
        let fields = try list()
        guard fields.count <= LocationRegion.most else {
            throw .invalidParameter(field: name, problem: "has more than \(LocationRegion.most) regions")
        }
        return fields
    }
}
