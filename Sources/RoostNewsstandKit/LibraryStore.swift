import Foundation
import LifeCycleModel
import Synchronization

/// What is kept of an app's library.
struct LibraryRecord: Codable, Hashable, Sendable {
    /// Something that is to be downloaded, until the app has heard how that has ended.
    struct Asset: Codable, Hashable, Sendable {
        enum Outcome: Codable, Hashable, Sendable {
            case arrived
            case failed(code: Int, reason: String)
        }

        let identifier: String
        let request: TransferRequest
        /// A property list.
        var userInfo: Data?
        /// Its download has ended, and the app has not been told.
        var outcome: Outcome?
    }

    struct Issue: Codable, Hashable, Sendable {
        let identifier: String
        let name: String
        let date: Date
        /// In the order they were added.
        var assets: [Asset] = []
        /// An asset of it has arrived.
        var hasContent = false
    }

    /// In the order they were added.
    var issues: [Issue] = []
    var readingIssue: String?
}

/// The library as a file of the app's, and the files that have arrived; for any thread.
final class LibraryStore: Sendable {
    let directory: URL
    private let record: Mutex<LibraryRecord>
    private let log: @Sendable (String) -> Void

    init(container: URL, log: @escaping @Sendable (String) -> Void) {
        directory = container.appendingPathComponent("Library/Newsstand", isDirectory: true)
        self.log = log
        let file = directory.appendingPathComponent("library.plist")
        guard let data = try? Data(contentsOf: file) else {
            record = Mutex(LibraryRecord())
            return
        }
        do {
            record = Mutex(try PropertyListDecoder().decode(LibraryRecord.self, from: data))
        } catch {
            log("The library of Newsstand issues cannot be read, and begins anew: \(error)")
            record = Mutex(LibraryRecord())
        }
    }

    var issues: [LibraryRecord.Issue] { record.withLock(\.issues) }
    var readingIssue: String? { record.withLock(\.readingIssue) }

    func issue(_ identifier: String) -> LibraryRecord.Issue? { issues.first { $0.identifier == identifier } }

    func asset(_ identifier: String) -> LibraryRecord.Asset? {
        issues.lazy.flatMap(\.assets).first { $0.identifier == identifier }
    }

    /// Changes the library, and writes it.
    func change(_ change: (inout LibraryRecord) -> Void) {
        record.withLock { record in
            let before = record
            change(&record)
            guard record != before else { return }
            do {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                let encoder = PropertyListEncoder()
                encoder.outputFormat = .binary
                try encoder.encode(record).write(
                    to: directory.appendingPathComponent("library.plist"), options: .atomic)
            } catch {
                log("The library of Newsstand issues cannot be written: \(error)")
            }
        }
    }

    func changeAsset(_ identifier: String, _ change: (inout LibraryRecord.Asset) -> Void) {
        self.change { record in
            for (place, issue) in record.issues.enumerated() {
                guard let index = issue.assets.firstIndex(where: { $0.identifier == identifier }) else { continue }
                change(&record.issues[place].assets[index])
            }
        }
    }

    /// The app was told how its download has ended: it is none of the downloading ones any more.
    func removeAsset(_ identifier: String, hasArrived: Bool = false) {
        change { record in
            for (place, issue) in record.issues.enumerated()
            where issue.assets.contains(where: { $0.identifier == identifier }) {
                record.issues[place].assets.removeAll { $0.identifier == identifier }
                if hasArrived { record.issues[place].hasContent = true }
            }
        }
    }

    // MARK: Files

    /// The directory for an issue's content.
    func content(of issue: String) -> URL {
        directory.appendingPathComponent("Issues", isDirectory: true)
            .appendingPathComponent(issue, isDirectory: true)
    }

    private var arrived: URL { directory.appendingPathComponent("Arrived", isDirectory: true) }
    private func kept(_ asset: String) -> URL { arrived.appendingPathComponent(asset + ".kept") }

    /// A file has arrived: it is the library's from now on.
    func take(_ file: URL, of asset: String) throws {
        let place = kept(asset)
        try FileManager.default.createDirectory(at: arrived, withIntermediateDirectories: true)
        // An earlier launch may have had it, and died before the system heard so.
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: file, to: place)
    }

    /// Where the app is to find a file that has arrived. It has a second name until the app has been told: one that moves
    /// it away and dies is told again.
    func place(of asset: String) -> URL? {
        let place = arrived.appendingPathComponent(asset)
        let files = FileManager.default
        if !files.fileExists(atPath: place.path) { try? files.linkItem(at: kept(asset), to: place) }
        return files.fileExists(atPath: place.path) ? place : nil
    }

    /// What the app has not moved away goes.
    func forgetFile(of asset: String) {
        for place in [kept(asset), arrived.appendingPathComponent(asset)] {
            try? FileManager.default.removeItem(at: place)
        }
    }
}
