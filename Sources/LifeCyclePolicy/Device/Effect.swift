public import LifeCycleModel

/// Something to be done: all the brain ever puts out, in order. In the imperative.
public enum Effect: Hashable, Sendable, Codable {
    /// Start the process of a launch; answered by `processStarted` or `processStartFailed`.
    case start(LaunchID, LaunchReason)
    /// Start the process of an app that is not launched yet, as `start` does; it waits for that in its `main` (T28).
    case prewarm(LaunchID)
    /// Say something to an app; dropped where it isn't connected, said again when it connects.
    case send(LaunchID, SystemMessage)
    /// Freeze a launch, read its requests to the end and report them, then answer `processFroze` or `freezeFailed`.
    case freeze(LaunchID, attempt: Int32)
    /// Let a launch run again.
    case thaw(LaunchID)
    /// Give a launch its share of the processor and the disks (K178).
    case prioritize(LaunchID, ProcessPriority)
    /// Measure the container of a launch's app on the disk; answered by `containerMeasured`.
    case measureContainer(LaunchID)
    /// Keep the device from going to sleep, or let it.
    case keepAwake(Bool)
    /// Send SIGTERM to an adopted app.
    case requestExit(LaunchID)
    /// End every process of a launch at once; answered by `processExited`.
    case kill(LaunchID, TerminationReason)
    /// Begin or go on with a transfer, as `Device.transferJob` has it; answered by reports of this attempt.
    case beginTransfer(TransferID, attempt: Int32)
    /// Stop a transfer under way; answered by the report `stopped`.
    case stopTransfer(TransferID)
    /// Bring a completed transfer's file into its app's container; answered by the report `moved`.
    case moveTransfer(TransferID)
    /// Delete what there is of a transfer's files.
    case discardTransfer(TransferID)
    /// Show a notification, or find out what there is to know for that.
    case notification(NotificationEffect)
    /// Make a token by which providers name an app: bytes nobody can guess; answered by `deviceTokenMade`.
    case makeDeviceToken(AppID)
    /// Keep a record (see its class of durability).
    case store(Record)
    /// Delete an app's bundle and container.
    case removeFiles(AppID)
    /// Nothing runs any more: the system may go.
    case finishShutdown
    /// Why something was done or not done.
    case decided(Decision)
}
