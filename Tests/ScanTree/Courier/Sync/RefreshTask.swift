import BackgroundTasks
import Foundation

enum RefreshTask {
    static func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.courier.refresh", using: nil) { task in
            task.setTaskCompleted(success: true)
        }
    }
}
