import CoreLocation
import Foundation

/// The recorded way: one line a point, with latitude, longitude and time, in `Documents/track.csv`.
@MainActor final class Track {
    private let file = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        .appendingPathComponent("track.csv")
    private var last: CLLocation?
    private var count = 0
    private var meters = 0.0

    init() {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") {
            let numbers = line.split(separator: ",").prefix(2).compactMap { Double($0) }
            if numbers.count == 2 { add(CLLocation(latitude: numbers[0], longitude: numbers[1])) }
        }
    }

    /// The number of points and the length of the way.
    var summary: String { "\(count) points, \(Int(meters.rounded())) m" }

    /// Adds points at the end. The points before them stay as they are if that fails.
    func append(_ locations: [CLLocation]) throws {
        if !FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        let lines = locations.map { place in
            "\(place.coordinate.latitude),\(place.coordinate.longitude),\(Int(place.timestamp.timeIntervalSince1970))\n"
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(lines.joined().utf8))
        locations.forEach(add)
    }

    private func add(_ place: CLLocation) {
        meters += last.map { place.distance(from: $0) } ?? 0
        last = place
        count += 1
    }
}
