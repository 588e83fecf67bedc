package import LifeCycleModel
package import LifeCyclePolicy

/// A future occurrence in the virtual world.
package enum Happening: Hashable, Sendable {
    case processRuns(LaunchID)
    case appConnects(LaunchID)
    case messageArrives(LaunchID, SystemMessage)
    case requestArrives(LaunchID, AppRequest)
    /// The app makes a request that it has put off, or repeats a request.
    case requestIsMade(LaunchID, AppRequest)
    /// A late or repeated report of the kernel or the file system about a launch.
    case reportArrives(LaunchID, Event)
    case kernelFroze(LaunchID, attempt: Int32)
    case containerIsMeasured(LaunchID)
    case mainThreadIsFree(LaunchID)
    case taskIsDone(LaunchID, TaskID)
    /// A delegate returns that was notified of a task's outcome.
    case delegateReturns(LaunchID, SessionIdentifier, Int64)
    /// A completion handler is called.
    case eventIsHandled(LaunchID, OpenEvent, BackgroundFetchResult)
    /// An attempt at a transfer makes progress or fails.
    case transferGoesOn(TransferID, attempt: Int32)
    case adapterReports(ConcernInput)
    /// The store works again.
    case storeWorks
    /// The app reacts to SIGTERM, after a delay.
    case appExits(LaunchID)
    case processIsGone(LaunchID, ExitStatus)

    /// The launch that is affected; nil for the device.
    var launch: LaunchID? {
        switch self {
        case .processRuns(let launch), .appConnects(let launch), .messageArrives(let launch, _),
            .requestArrives(let launch, _), .requestIsMade(let launch, _), .reportArrives(let launch, _),
            .kernelFroze(let launch, _), .containerIsMeasured(let launch),
            .mainThreadIsFree(let launch), .taskIsDone(let launch, _), .appExits(let launch),
            .delegateReturns(let launch, _, _), .eventIsHandled(let launch, _, _), .processIsGone(let launch, _):
            launch
        case .transferGoesOn, .adapterReports, .storeWorks: nil
        }
    }

    /// Whether the app's own code runs then. In a frozen app such a happening waits for the thaw.
    var needsRunningCode: Bool {
        switch self {
        case .appConnects, .messageArrives, .requestIsMade, .mainThreadIsFree, .taskIsDone, .delegateReturns,
            .eventIsHandled, .appExits:
            true
        case .processRuns, .requestArrives, .reportArrives, .kernelFroze, .containerIsMeasured, .processIsGone,
            .transferGoesOn, .adapterReports, .storeWorks:
            false
        }
    }
}
