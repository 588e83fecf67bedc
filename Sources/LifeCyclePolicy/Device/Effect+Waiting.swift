public import LifeCycleModel

extension Effect {
    /// The subject whose records must be on disk first; nil if the effect does not wait for the disk.
    ///
    /// A crash then neither loses nor repeats an effect:
    /// - No process runs and no file is gone without a record of it.
    /// - A transfer is not begun, moved or discarded again, with files that are gone.
    /// - An app receives only persisted news, and a notification is displayed once.
    ///
    /// No other effect on an app waits: callbacks are delivered, and watchdogs kill, even if the disk fails.
    public var subjectBuiltUpon: RecordSubject? {
        switch self {
        case .launch(let launch, .start), .launch(let launch, .prewarm): .app(launch.app)
        case .device(.removeFiles(let app)): .app(app)
        case .launch(let launch, .send(.concern(let message))): message.word.subjectBuiltUpon(for: launch.app)
        case .concern(let output): output.word.subjectBuiltUpon
        case .launch, .device, .store, .decided: nil
        }
    }

    /// Whether the effect starts a process. If it waits, the launch's other effects wait with it.
    public var startsProcess: Bool {
        switch self {
        case .launch(_, .start), .launch(_, .prewarm): true
        case .launch, .device, .concern, .store, .decided: false
        }
    }

    /// The launch whose waiting effects this effect must follow; nil for a kill, which ends the waiting.
    public var launchInOrder: LaunchID? {
        switch self {
        case .launch(_, .kill), .device, .concern, .store, .decided: nil
        case .launch(let launch, _): launch
        }
    }

    /// The concern's subject whose waiting effects this effect must follow.
    public var subjectInOrder: RecordSubject? {
        if case .concern(let output) = self { output.word.subjectInOrder } else { nil }
    }

    /// Whether the next effect of its kind makes this effect obsolete. It is then dropped instead of waiting.
    public var isProgress: Bool {
        if case .launch(_, .send(.concern(let message))) = self { message.word.isProgress } else { false }
    }
}
