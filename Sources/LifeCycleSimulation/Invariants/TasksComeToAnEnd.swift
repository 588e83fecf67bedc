import LifeCycleModel
import LifeCyclePolicy

/// Every granted task ends exactly once: by the app, by expiry, or with its app.
struct TasksComeToAnEnd: Sendable {
    private struct Key: Hashable { let launch: LaunchID, task: TaskID }
    /// For look-up and for the removal at an app's end, so the order does not matter.
    private var open: Set<Key> = []

    mutating func check(_ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot]) -> String? {
        for case .decided(let decision) in effects {
            switch decision {
            case .launch(let launch, .taskGranted(let task)):
                guard open.insert(Key(launch: launch, task: task.id)).inserted else {
                    return "\(task.id) of \(launch) is granted twice"
                }
            case .launch(let launch, .taskEnded(let task, _)):
                guard open.remove(Key(launch: launch, task: task)) != nil else {
                    return "\(task) of \(launch) ends and was not open"
                }
            case .launch(let launch, .terminating(_, _)), .launch(let launch, .ended(_, _)):
                open = open.filter { $0.launch != launch }
            default: break
            }
        }
        let counted = snapshots.reduce(0) { $0 + $1.openTasks.count }
        return counted == open.count ? nil : "\(open.count) tasks should be open, \(counted) are"
    }
}
