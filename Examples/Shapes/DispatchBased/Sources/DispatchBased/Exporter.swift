import UIKit

/// Exports recordings on its own queue, two at a time. `state` protects the shared values.
final class Exporter {
    private let folder: URL
    private let secondsPerRecording: Double
    private let queue = DispatchQueue(label: "export", qos: .utility, attributes: .concurrent)
    private let state = DispatchQueue(label: "export.state")
    private let slots = DispatchSemaphore(value: 2)
    private var exported: [String] = []
    private var isCancelled = false
    private var cleanUp: DispatchWorkItem?

    init(folder: URL, secondsPerRecording: Double) {
        self.folder = folder
        self.secondsPerRecording = secondsPerRecording
    }

    func exportAll(_ names: [String], completion: @escaping ([String]) -> Void) {
        let application = UIApplication.shared
        var task = UIBackgroundTaskIdentifier.invalid
        task = application.beginBackgroundTask(withName: "Export") { [state] in
            state.async { self.isCancelled = true }
            application.endBackgroundTask(task)
            task = .invalid
        }
        state.sync { (exported, isCancelled) = ([], false) }
        let group = DispatchGroup()
        for name in names {
            queue.async(group: group) { self.export(name) }
        }
        group.notify(queue: .main) {
            completion(self.state.sync { self.exported.sorted() })
            application.endBackgroundTask(task)
            task = .invalid
        }
    }

    /// Exports one recording, for the share sheet.
    func exportOne(_ name: String) {
        let application = UIApplication.shared
        let task = application.beginBackgroundTask(withName: "Export one") {}
        queue.async {
            guard !name.isEmpty else { return }
            self.export(name)
            application.endBackgroundTask(task)
        }
    }

    /// Removes temporary files after twenty seconds, unless the user has returned.
    func cleanUpLater() {
        let item = DispatchWorkItem { [folder] in
            try? FileManager.default.removeItem(at: folder.appendingPathComponent("parts"))
            print("cleaned up")
        }
        cleanUp = item
        DispatchQueue.main.asyncAfter(deadline: .now() + 20, execute: item)
    }

    func cancelCleanUp() {
        cleanUp?.cancel()
        cleanUp = nil
    }

    private func export(_ name: String) {
        slots.wait()
        defer { slots.signal() }
        guard !state.sync(execute: { isCancelled }) else { return }
        // One piece at a time, so that the phone stays cool.
        Thread.sleep(forTimeInterval: secondsPerRecording)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard (try? Data(name.utf8).write(to: folder.appendingPathComponent(name + ".m4a"))) != nil else { return }
        state.sync { exported.append(name) }
    }
}
