import Foundation
import FoundationXML

/// Reads the points of a GPX file: those of its tracks, otherwise those of its routes, otherwise its waypoints. Entities
/// that a file declares are not expanded.
final class GPXReader: NSObject, XMLParserDelegate {
    private let name: String
    /// The most points of a kind.
    private let most: Int
    private var parser: XMLParser?
    private var points: [Kind: [Track.Point]] = [:]
    /// The first problem with the times of a kind of points. It matters only if the track is made of them.
    private var untimed: [Kind: TrackError] = [:]
    private var point: Track.Point?
    /// The text of the element that is read, which is a point's altitude or time; nil in every other element.
    private var text: String?
    private var error: TrackError?
    /// The number of elements that are open.
    private var depth = 0
    /// The same at the start of the present point. Only its own children tell its altitude and time.
    private var pointDepth = 0

    /// The elements that are points; the first ones that a file has are the track.
    private enum Kind: String, CaseIterable {
        case track = "trkpt"
        case route = "rtept"
        case waypoint = "wpt"
    }

    /// The largest file in bytes.
    private static let largest = 512 << 20
    /// The longest altitude or time in characters.
    private static let longestText = 64

    private init(name: String, most: Int) { (self.name, self.most) = (name, most) }

    /// Reads a file. Throws if it is no GPX file, or if a point in it is invalid. The times of the points matter only if
    /// they are needed.
    static func read(_ file: URL, needsTimes: Bool, most: Int = Track.most) throws(TrackError) -> Track {
        let name = file.lastPathComponent
        let file = file.resolvingSymlinksInPath()
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
            let parser = XMLParser(contentsOf: file)
        else { throw TrackError(name, "it is no file that can be read: \(file.path)") }
        guard (attributes[.size] as? Int).map({ $0 <= largest }) ?? false else {
            throw TrackError(name, "it is larger than \(largest >> 20) MB")
        }
        return try GPXReader(name: name, most: most).read(with: parser, needsTimes: needsTimes)
    }

    private func read(with parser: XMLParser, needsTimes: Bool) throws(TrackError) -> Track {
        self.parser = parser
        defer { self.parser = nil }
        parser.delegate = self
        parser.shouldProcessNamespaces = true
        let isXML = parser.parse()
        if let error { throw error }
        // The parser accepts a file that ends too early.
        guard isXML, depth == 0 else {
            throw TrackError(name, "it is not XML, or is cut off", line: parser.lineNumber)
        }
        guard let kind = Kind.allCases.first(where: { points[$0] != nil }) else {
            throw TrackError(name, "it has no points: neither trkpt nor rtept nor wpt")
        }
        if needsTimes, let problem = untimed[kind] { throw problem }
        return Track(points: points[kind] ?? [])
    }

    /// Stops with an error. The first one counts.
    private func stop(_ problem: String) {
        guard error == nil else { return }
        error = TrackError(name, problem, line: parser?.lineNumber)
        parser?.abortParsing()
    }

    // MARK: XMLParserDelegate

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        depth += 1
        guard error == nil else { return }
        if Kind(rawValue: element) != nil {
            guard let latitude = degrees(attributes["lat"], "lat", 90),
                let longitude = degrees(attributes["lon"], "lon", 180)
            else { return }
            point = Track.Point(latitude: latitude, longitude: longitude)
            pointDepth = depth
        } else if point != nil, depth == pointDepth + 1, element == "ele" || element == "time" {
            text = ""
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard error == nil, let text else { return }
        self.text = text + string
        if text.count + string.count > Self.longestText { stop("an altitude or a time is too long") }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        defer { depth -= 1 }
        guard error == nil else { return }
        if let kind = Kind(rawValue: element) {
            add(kind)
        } else if depth == pointDepth + 1, let text = text?.trimmingCharacters(in: .whitespacesAndNewlines) {
            if element == "ele" { setAltitude(text) } else if element == "time" { setTime(text) }
            self.text = nil
        }
    }

    // MARK: Points

    private func degrees(_ text: String?, _ name: String, _ most: Double) -> Double? {
        if let text, let number = Double(text), abs(number) <= most { return number }
        let found = text.map { "\"\($0.prefix(Self.longestText))\"" } ?? "missing"
        stop("\(name) of a point is \(found): it is a number from -\(Int(most)) to \(Int(most))")
        return nil
    }

    private func setAltitude(_ text: String) {
        guard let number = Double(text), (-100_000...1_000_000).contains(number) else {
            return stop("the altitude of a point is \"\(text)\": it is a number of meters from -100000 to 1000000")
        }
        point?.altitude = number
    }

    private func setTime(_ text: String) {
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: Self.fraction)) else {
            return stop("the time of a point is \"\(text)\": it is a time such as 2026-05-01T08:00:00Z")
        }
        point?.time = date.timeIntervalSince1970
    }

    private static let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private func add(_ kind: Kind) {
        guard let point else { return }
        self.point = nil
        // A copy of the array in a variable would make each append copy all points.
        guard points[kind]?.count ?? 0 < most else { return stop("it has more than \(most) points") }
        if untimed[kind] == nil, let problem = point.problem(after: points[kind]?.last) {
            untimed[kind] = TrackError(name, problem, line: parser?.lineNumber)
        }
        points[kind, default: []].append(point)
    }
}

extension Track.Point {
    /// The problem with the point's time; nil if there is none.
    fileprivate func problem(after last: Self?) -> String? {
        guard let time else { return "the point has no time: pass a speed in meters per second" }
        guard let before = last?.time, time < before else { return nil }
        return "the point is earlier than the one before it: pass a speed in meters per second"
    }
}

/// A GPX file that the device cannot follow.
public struct TrackError: Error, CustomStringConvertible {
    /// The file, the line and the problem, for a developer.
    public let description: String

    init(_ file: String, _ problem: String, line: Int? = nil) {
        description = "cannot follow \(file)\(line.map { ", line \($0)" } ?? ""): \(problem)"
    }
}
