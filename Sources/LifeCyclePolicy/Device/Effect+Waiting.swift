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
        case .concern(.transfer(.stop)): nil
        case .concern(.transfer(let output)): .transfer(output.id)
        case .launch(let launch, .send(.concern(.transfer))): .sessions(of: launch.app)
        case .launch(let launch, .send(.concern(.notification))): .notifications(of: launch.app)
        case .concern(.notification(.show(let shown))): .notifications(of: shown.id.app)
        case .concern(.notification(.confirmToken(let app))): .registration(of: app)
        case .launch, .device, .concern(.notification), .store, .decided: nil
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

    /// The transfer it acts on, after the effects on it that wait.
    public var transferInOrder: TransferID? {
        if case .concern(.transfer(let output)) = self { output.id } else { nil }
    }

    /// Whether the next effect of its kind makes it obsolete: it is dropped instead of waiting.
    public var isProgress: Bool {
        if case .launch(_, .send(.concern(.transfer(_, .progressed)))) = self { true } else { false }
    }
}
