import LifeCycleModel

/// The wire format of positions.
extension LocationFix {
    /// Reads an object, also without its time if the caller knows it. Throws if a number is outside its range.
    init(_ fields: JSONField, at known: Nanoseconds? = nil) throws(WireError) {
        let latitude = try fields["latitude"].whole(in: -90 * Self.degree...90 * Self.degree)
        let longitude = try fields["longitude"].whole(in: -180 * Self.degree...180 * Self.degree)
        let accuracy = try fields["accuracy"].whole(in: 0...Self.leastAccurate)
        let time = if let known { known } else { Nanoseconds(try fields["time"].whole()) }
        let fix = Self(
            latitude: latitude, longitude: longitude, accuracy: accuracy, time: time,
            altitude: try fields["altitude"].ifGiven.map(Altitude.init),
            speed: try fields["speed"].ifGiven?.whole(in: Self.speeds),
            course: try fields["course"].ifGiven?.whole(in: Self.courses))
        guard let fix else { throw .invalidParameter(field: fields.name, problem: "is not a position on the earth") }
        self = fix
    }

    var json: JSON { .object(members(time: time)) }

    /// The members of the object, without a time if the reader knows it.
    func members(time: Nanoseconds?) -> KeyValuePairs<String, JSON?> {
        [
            "accuracy": .integer(Int64(accuracy)), "altitude": altitude?.json,
            "course": course.map { .integer(Int64($0)) }, "latitude": .integer(Int64(latitude)),
            "longitude": .integer(Int64(longitude)), "speed": speed.map { .integer(Int64($0)) },
            "time": time.map { .integer($0.rawValue) },
        ]
    }
}

extension LocationFix.Altitude {
    fileprivate init(_ fields: JSONField) throws(WireError) {
        let altitude = Self(
            height: try fields["height"].whole(in: Self.heights),
            accuracy: try fields["accuracy"].whole(in: 0...LocationFix.leastAccurate))
        guard let altitude else { throw .invalidParameter(field: fields.name, problem: "is not an altitude") }
        self = altitude
    }

    fileprivate var json: JSON {
        .object(["accuracy": .integer(Int64(accuracy)), "height": .integer(Int64(height))])
    }
}

extension JSONField {
    fileprivate func whole(in range: ClosedRange<Int32>) throws(WireError) -> Int32 {
        let number = try whole(Int32.self)
        guard range.contains(number) else {
            throw .invalidParameter(field: name, problem: "is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
