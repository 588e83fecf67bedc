package import LifeCycleModel
package import LifeCyclePolicy

/// Something that will happen in the virtual world.
package enum Happening: Hashable, Sendable {
    case processRuns(LaunchID)
    case appConnects(LaunchID)
    case messageArrives(LaunchID, SystemMessage)
    case requestArrives(LaunchID, AppRequest)
    /// The app's code says again what it has said.
    case requestIsRepeated(LaunchID, AppRequest)
    /// What the kernel, or the file system, has to tell of a launch, long after it was so, or once more.
    case reportArrives(LaunchID, Event)
    case kernelFroze(LaunchID, attempt: Int32)
    case containerIsMeasured(LaunchID)
    case mainThreadIsFree(LaunchID)
    case taskIsDone(LaunchID, TaskID)
    /// A delegate returns that was told what became of a task.
    case delegateReturns(LaunchID, SessionIdentifier, Int64)
    /// A completion handler is called.
    case eventIsHandled(LaunchID, OpenEvent, BackgroundFetchResult)
    /// Something happens to an attempt at a transfer.
    case transferGoesOn(TransferID, attempt: Int32)
    /// An adapter has something to report.
    case adapterReports(ConcernInput)
    /// There is room for the store again.
    case storeWorks
    /// It acts on SIGTERM, in its own time.
    case appExits(LaunchID)
    case processIsGone(LaunchID, ExitStatus)

    /// The launch it is about; nil for what is the device's own.
    var launch: LaunchID? {
        switch self {
        case .processRuns(let launch), .appConnects(let launch), .messageArrives(let launch, _),
            .requestArrives(let launch, _), .requestIsRepeated(let launch, _), .reportArrives(let launch, _),
            .kernelFroze(let launch, _), .containerIsMeasured(let launch),
            .mainThreadIsFree(let launch), .taskIsDone(let launch, _), .appExits(let launch),
            .delegateReturns(let launch, _, _), .eventIsHandled(let launch, _, _), .processIsGone(let launch, _):
            launch
        case .transferGoesOn, .adapterReports, .storeWorks: nil
        }
    }

    /// Whether it is the app's own code that runs then: not while it is frozen.
    var needsRunningCode: Bool {
        switch self {
        case .appConnects, .messageArrives, .requestIsRepeated, .mainThreadIsFree, .taskIsDone, .delegateReturns,
            .eventIsHandled, .appExits:
            true
        case .processRuns, .requestArrives, .reportArrives, .kernelFroze, .containerIsMeasured, .processIsGone,
            .transferGoesOn, .adapterReports, .storeWorks:
            false
        }
    }
}
