public import LifeCycleModel

/// An effect: the only output of the brain, in the order in which effects are performed. Named in the imperative.
public enum Effect: Hashable, Sendable, Codable {
    /// Act on the process of a launch.
    case launch(LaunchID, LaunchEffect)
    /// Act on the device or on an app's files.
    case device(DeviceEffect)
    /// Work for the adapter of a concern.
    case concern(ConcernOutput)
    /// Persist a record (see its class of durability).
    indirect case store(Record)
    /// A decision with its reason, for `roost why`.
    case decided(Decision)
}

/// Something to do with the process of a launch.
public enum LaunchEffect: Hashable, Sendable, Codable {
    /// Start the process; answered by `started` or `startFailed`.
    case start(LaunchReason)
    /// Start the process of an app that is not launched yet, as `start` does; it waits in its `main` (T28).
    case prewarm
    /// Send the app a message; dropped if the app is not connected, sent again when it connects.
    case send(SystemMessage)
    /// Freeze the launch, report its requests to the end, then answer `froze` or `freezeFailed`.
    case freeze(attempt: Int32)
    /// Let the launch run again.
    case thaw
    /// Give the launch its share of the processor and the disks (K178).
    case prioritize(ProcessPriority)
    /// Measure the container of the launch's app on the disk; answered by `containerMeasured`.
    case measureContainer
    /// Send SIGTERM to an adopted app.
    case requestExit
    /// End all processes of the launch at once; answered by `exited`.
    case kill(TerminationReason)
}

/// Something to do with the device, or with an app's files.
public enum DeviceEffect: Hashable, Sendable, Codable {
    /// Keep the device from going to sleep, or allow sleep.
    case keepAwake(Bool)
    /// Delete an app's bundle and container.
    case removeFiles(AppID)
    /// No app runs any more: the system may exit.
    case finishShutdown
}
