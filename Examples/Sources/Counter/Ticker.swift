import Foundation

/// Counts ten times a second in `Documents/counter`: reading the file twice shows whether the app runs.
final class Ticker {
    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticker"))

    func start() {
        let path = Script.documents + "/counter"
        try? FileManager.default.createDirectory(atPath: Script.documents, withIntermediateDirectories: true)
        let counter = Counter(path: path)
        timer.schedule(deadline: .now(), repeating: 0.1)
        timer.setEventHandler { counter.count() }
        timer.activate()
    }
}

/// The count; only the timer's queue uses it.
private final class Counter: @unchecked Sendable {  // Every call comes from the one serial queue of the timer.
    private let path: String
    private var value: Int

    init(path: String) {
        self.path = path
        value = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0) } ?? 0
    }

    func count() {
        value += 1
        try? String(value).write(toFile: path, atomically: true, encoding: .utf8)
    }
}
