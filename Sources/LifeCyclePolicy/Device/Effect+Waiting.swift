public import LifeCycleModel

extension Effect {
    /// The subject whose records must be on disk first; nil if the effect waits for no disk.
    ///
    /// A crash then neither forgets nor repeats what was done:
    /// - No process runs and no file is gone without a record of it.
    /// - A transfer is not begun, moved or discarded again, with files that are gone.
    /// - An app hears only what is persisted, and a notification is displayed once.
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

    /// Whether it starts a process: the launch's other effects wait with it.
    public var startsProcess: Bool {
        switch self {
        case .launch(_, .start), .launch(_, .prewarm): true
        case .launch, .device, .concern, .store, .decided: false
        }
    }

    /// The launch it acts on, after the effects on it that wait; nil for a kill, which ends the waiting.
    public var launchInOrder: LaunchID? {
        switch self {
        case .launch(_, .kill), .device, .concern, .store, .decided: nil
        case .launch(let launch, _): launch
        }
    }

    /// The subject of a concern that it acts on, after the effects on it that wait.
    public var subjectInOrder: RecordSubject? {
        if case .concern(let output) = self { output.word.subjectInOrder } else { nil }
    }

    /// Whether the next effect of its kind makes it obsolete: it is dropped instead of waiting.
    public var isProgress: Bool {
        if case .launch(_, .send(.concern(let message))) = self { message.word.isProgress } else { false }
    }
}
