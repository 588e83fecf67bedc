import UIKit

/// Tasks that are begun in unusual ways.
enum Tasks {
    @MainActor static func begin(_ action: Script.Action) {
        switch action {
        case .beginElsewhere(let name):
            let application = UIApplication.shared
            let begun = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let task = Known()
                task.identifier = application.beginBackgroundTask(withName: name) {
                    print("handler of \(name) main=\(Thread.isMainThread)")
                    application.endBackgroundTask(task.identifier)
                }
                begun.signal()
            }
            begun.wait()
        case .beginUnnamed:
            let task = Known()
            task.identifier = UIApplication.shared.beginBackgroundTask {
                UIApplication.shared.endBackgroundTask(task.identifier)
            }
        case .begins(let count):
            for number in 1...count { _ = UIApplication.shared.beginBackgroundTask(withName: "\(number)") {} }
            print("begun \(count)")
        default: break
        }
    }

    /// The identifier of a task, for its handler, which is called after the task was begun.
    private final class Known: @unchecked Sendable {
        var identifier = UIBackgroundTaskIdentifier.invalid
    }
}
