import Foundation
import LifeCycleModel
import Synchronization

/// The persisted state of an app's library.
struct LibraryRecord: Codable, Hashable, Sendable {
    /// A file to download; kept until the app has received the outcome.
    struct Asset: Codable, Hashable, Sendable {
        enum Outcome: Codable, Hashable, Sendable {
            case arrived
            case failed(code: Int, reason: String)
        }

        let identifier: String
        let request: TransferRequest
        /// A binary property list; nil for none.
        var userInfo: Data?
        /// The outcome of a finished download that the app has not received yet; nil while the download is not
        /// finished.
        var outcome: Outcome?
    }

    struct Issue: Codable, Hashable, Sendable {
        let identifier: String
        let name: String
        let date: Date
        /// In the order in which they were added.
        var assets: [Asset] = []
        /// Whether at least one asset has arrived.
        var hasContent = false
    }

    /// In the order in which they were added.
    var issues: [Issue] = []
    var readingIssue: String?
}

/// The library's file and the downloaded files, both in the app's container. Any thread.
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
            log("Cannot read the library of Newsstand issues, which starts empty: \(error)")
            record = Mutex(LibraryRecord())
        }
    }

    var issues: [LibraryRecord.Issue] { record.withLock(\.issues) }
    var readingIssue: String? { record.withLock(\.readingIssue) }

    func issue(_ identifier: String) -> LibraryRecord.Issue? { issues.first { $0.identifier == identifier } }

    func asset(_ identifier: String) -> LibraryRecord.Asset? {
        issues.lazy.flatMap(\.assets).first { $0.identifier == identifier }
    }

    /// Changes the library and writes it to disk if it is different.
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
                log("Cannot write the library of Newsstand issues: \(error)")
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

    /// Removes an asset from the downloading ones, because the app has received its outcome.
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

    /// Moves a downloaded file into the library.
    func take(_ file: URL, of asset: String) throws {
        let place = kept(asset)
        try FileManager.default.createDirectory(at: arrived, withIntermediateDirectories: true)
        // An earlier launch may have moved a file here and died before the system received the acknowledgment.
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: file, to: place)
    }

    /// The location of a downloaded file for the app; nil if the file is gone. Until the app has received the outcome,
    /// the file has a second link. So an app that moves the file away and dies gets the file again.
    func place(of asset: String) -> URL? {
        let place = arrived.appendingPathComponent(asset)
        let files = FileManager.default
        if !files.fileExists(atPath: place.path) { try? files.linkItem(at: kept(asset), to: place) }
        return files.fileExists(atPath: place.path) ? place : nil
    }

    /// Deletes the links to the file that the app has not moved away.
    func forgetFile(of asset: String) {
        for place in [kept(asset), arrived.appendingPathComponent(asset)] {
            try? FileManager.default.removeItem(at: place)
        }
    }
}
