public import Foundation
public import LifeCycleModel
import LifeCyclePolicy

/// The device's location, and the user's decisions about it.
extension VirtualDevice {
    /// The device has moved to a place: latitude and longitude in degrees, accuracy in meters. Returns false if there
    /// is no such place.
    ///
    /// Significant changes come at a distance of at least 500 m, and at most every 5 minutes of the device's clock.
    ///
    /// - Parameters:
    ///   - latitude: In degrees, positive in the north.
    ///   - longitude: In degrees, positive in the east.
    ///   - accuracy: The radius of uncertainty in meters, also that of the altitude.
    ///   - altitude: In meters above mean sea level; nil if it is unknown.
    ///   - speed: In meters per second; nil if it is unknown.
    ///   - course: The direction of the movement in degrees clockwise from north; nil if it is unknown.
    @discardableResult public func move(
        to latitude: Double, longitude: Double, accuracy: Double = 10, altitude: Double? = nil, speed: Double? = nil,
        course: Double? = nil
    ) async -> Bool {
        let position = Track.Position(
            latitude: latitude, longitude: longitude, altitude: altitude, speed: speed, course: course)
        guard let fix = LocationFix(position, accuracy: accuracy, at: body.now.wall) else { return false }
        await act("the device moves to \(latitude), \(longitude)", .concern(.location(.moved(fix))))
        return true
    }

    /// The device moves along the track in a GPX file, while its clock advances. Returns at the end of the track.
    ///
    /// Without a speed, the device reaches each point at the point's time: the first one now, each other one as much
    /// later as the times in the file say. With a speed, the times in the file do not count. The track consists of all
    /// track points of the file; without them, of its route points; without these, of its waypoints.
    ///
    /// As on a real device, the receiver finds a position in each second, and is on only while an app needs a position.
    /// After the end of the track it finds none: call `move(to:)` with the last point for a device that stays there.
    /// Between two points that are more than 100 km apart, speed and course are approximate.
    ///
    /// - Parameters:
    ///   - file: A GPX file with at most a million points, whose track takes at most a million seconds.
    ///   - speed: In meters per second.
    ///   - accuracy: The radius of uncertainty of the positions in meters.
    /// - Throws: `TrackError` if the file is no GPX file, has an invalid point, or has no times and the speed is nil.
    public func follow(
        gpx file: URL, speed: Double? = nil, accuracy: Double = 10, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws(TrackError) {
        let track = try GPXReader.read(file, needsTimes: speed == nil)
        let positions = try track.positions(speed: speed, accuracy: accuracy, named: file.lastPathComponent)
        guard isAnythingInstalled(at: SourcePlace(fileID, filePath, line, column)) else { return }
        tell("the device follows \(file.lastPathComponent) for \(positions.count - 1) s")
        // The requests that the apps have made so far are handled before the first position.
        await body.settle()
        let start = body.now.awake
        for (time, fix) in positions {
            if start + time > body.now.awake { await body.advance(by: start + time - body.now.awake) }
            guard body.device.isReceiverOn else { continue }
            body.handle(.concern(.location(.moved(fix.at(body.now.wall)))))
            await body.settle()
        }
    }

    /// The user decides about an app's access to the location; a new app has `.ask`. The app's request for a permission
    /// shows no dialog, so that a test calls this instead of the user.
    public func setLocationPermission(of app: VirtualApp, to permission: LocationPermission) async {
        let decision =
            switch permission {
            case .ask: "undecided"
            case .deny: "never allowed"
            case .whenInUse: "allowed in use"
            case .always: "always allowed"
            }
        await act("the location is \(decision)", .concern(.location(.permitted(app.id, permission))), of: app)
    }
}

extension Track {
    /// The positions on the track, with their times from its beginning.
    fileprivate func positions(
        speed: Double?, accuracy: Double, named name: String
    ) throws(TrackError) -> [(Nanoseconds, LocationFix)] {
        if let speed, !(speed > 0 && speed <= Self.fastest) {
            throw TrackError(
                name, "the speed is \(speed): pass meters per second above 0, at most \(Int(Self.fastest))")
        }
        let duration = duration(speed: speed)
        guard duration < Double(Self.most) else {
            throw TrackError(name, "it takes \(duration.rounded()) seconds: at most \(Self.most) are possible")
        }
        var all: [(Nanoseconds, LocationFix)] = []
        for position in positions(speed: speed) {
            guard let fix = LocationFix(position, accuracy: accuracy, at: .zero) else {
                throw TrackError(name, "the accuracy is \(accuracy): pass meters from 0 to 10000000")
            }
            all.append((Nanoseconds(Int64(position.time * 1e9)), fix))
        }
        return all
    }
}

extension LocationFix {
    /// Nil if a number is out of range.
    fileprivate init?(_ position: Track.Position, accuracy: Double, at time: Nanoseconds) {
        func whole(_ number: Double, _ units: Double) -> Int32? { Int32(exactly: (number * units).rounded()) }
        let degree = Double(Self.degree)
        guard let north = whole(position.latitude, degree), let east = whole(position.longitude, degree),
            let radius = whole(accuracy, 100)
        else { return nil }
        var altitude: Altitude?
        if let meters = position.altitude {
            altitude = whole(meters, 100).flatMap { Altitude(height: $0, accuracy: radius) }
            if altitude == nil { return nil }
        }
        let speed = position.speed.map { whole($0, 100) ?? -1 }
        // A course of almost 360 degrees is rounded to 0.
        let course = position.course.map { whole($0, 100).map { $0 == 36_000 ? 0 : $0 } ?? -1 }
        self.init(
            latitude: north, longitude: east, accuracy: radius, time: time, altitude: altitude, speed: speed,
            course: course)
    }
}

extension CallbackName {
    /// New positions for location managers.
    public static let didUpdateLocations = CallbackName(LocationCall.Method.didUpdateLocations)
    /// Location managers get no position.
    public static let didFailWithError = CallbackName(LocationCall.Method.didFailWithError)
    /// The system has paused an app's location updates.
    public static let didPauseLocationUpdates = CallbackName(LocationCall.Method.didPauseLocationUpdates)
    /// An app's location updates continue after a pause.
    public static let didResumeLocationUpdates = CallbackName(LocationCall.Method.didResumeLocationUpdates)
    /// The device has entered a region that an app monitors.
    public static let didEnterRegion = CallbackName(LocationCall.Method.didEnterRegion)
    /// The device has left a region that an app monitors.
    public static let didExitRegion = CallbackName(LocationCall.Method.didExitRegion)
    /// An app is told the states of its regions, because it asked for them.
    public static let didDetermineState = CallbackName(LocationCall.Method.didDetermineState)
    /// The user has changed the app's access to the location.
    public static let didChangeAuthorization = CallbackName(LocationCall.Method.didChangeAuthorization)
}
