/// How a process ended, as the kernel tells it.
public enum ExitStatus: Hashable, Sendable, Codable {
    /// It returned from `main` or called `exit` with this code.
    case exited(code: Int32)
    /// A signal ended it.
    case signaled(Int32)
    /// It is gone and nobody can say how: its exit was not seen.
    case unknown
}

/// What a kill is filed under: Apple's exception code where Apple has one (section 2.P).
public enum TerminationCode: Hashable, Sendable, Codable {
    /// One of Apple's exception codes, for example `0x8badf00d`.
    case exception(UInt32)
    /// A jetsam reason: a report without an exception code.
    case jetsam(String)
    /// Apple documents no code: the signal that ended it.
    case signal(Int32)

    /// "Ate bad food": the watchdog.
    public static let watchdog = Self.exception(0x8bad_f00d)
    /// A background task that was not completed in time, since iOS 13.
    public static let taskNotCompleted = Self.exception(0x2182_bad2)
    /// The completion handler of a background session's events was not called in time.
    public static let sessionEventsNotHandled = Self.exception(0x2182_bad3)
    /// The completion handler of a background fetch was not called in time.
    public static let fetchNotHandled = Self.exception(0x2182_bad4)
    /// Too many assertions.
    public static let tooManyAssertions = Self.exception(0xbada_5e47)
    /// Excess use of key resources.
    public static let excessUse = Self.exception(0xd00d_2bad)
}

extension TerminationCode: CustomStringConvertible {
    /// `0x8badf00d`, `jetsam: …` or `signal 9`.
    public var description: String {
        switch self {
        case .exception(let code): "0x" + String(code, radix: 16)
        case .jetsam(let reason): "jetsam: \(reason)"
        case .signal(let number): "signal \(number)"
        }
    }
}

/// A statement that the system relies on and found to be false. It is a fault of Roost, never of the app.
public enum SystemFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// A process is suspended although something keeps the app from being suspended.
    case suspendedWhileHeld
    /// A callback is sent although another one has not returned, or one has returned that was never sent.
    case callbackOutOfTurn
    /// An app is made active although another one is active.
    case activeTwice
    /// A background task is open off the foreground, and its time is not counted.
    case taskWithoutClock
    /// An app is launched although it already has a launch, or a launch ends that was not counted.
    case launchedTwice
    /// A notification is due that the app has not scheduled.
    case notificationNotScheduled
    /// A transfer is begun that is already in progress, or one is over that was not in progress.
    case transferNotCounted
    /// An app is given an opportunity to fetch that does not want any.
    case fetchNotWanted
}

/// Why a launch ended, or is being ended.
public enum TerminationReason: Hashable, Sendable, Codable {
    /// It ended of its own accord, or crashed (T26).
    case exited(ExitStatus)
    /// The process could not be started; the number is the `errno`.
    case launchFailed(errno: Int32)
    /// The system was killed before it had the process on record, and what there was of it was ended as a leftover.
    case cutOff
    /// It did not return from a callback in time (T21, T22, R-17, R-18).
    case watchdog(Callback)
    /// An adopted app, which did not exit in its time after SIGTERM.
    case didNotExit
    /// It did not come back to the system in time after the system's restart.
    case lostContact
    /// A background task was not ended when time was up.
    case tasksNotEnded(TerminationCode)
    /// It did not call the completion handler of a background session's events in time.
    case sessionEventsNotHandled
    /// It did not call the completion handler of an event it was handed in time.
    case eventNotHandled(WakeEvent)
    /// More tasks than the cap allows.
    case tooManyTasks
    /// The user swiped it away (T17, T18). Apple files that under no code: 0xdeadfa11 is for an app that was forced to quit
    /// while it was in front, by an act that Roost does not have (TN2151).
    case forceQuit
    /// More requests than any sound app makes.
    case tooManyRequests
    /// More on the disk than an app may have.
    case tooMuchDisk
    /// Memory was needed (T15, T16).
    case memory
    /// It opted out of background execution and left the foreground (T20, R-123).
    case exitsOnSuspend
    /// The system is shutting down (T15, T16).
    case shutdown
    /// The device is shutting down: nobody is told (T19).
    case deviceShutdown
    /// The system had gone and did not come back in time: nothing could have thawed it again.
    case systemGone
    /// The app was uninstalled.
    case uninstalled
    /// The app was installed anew over itself.
    case updated
    /// The kernel would not freeze it, and what cannot be suspended may not stay.
    case notFreezable
    /// The system found that its own state of the app contradicts itself. The app is ended, so that it can start again from
    /// a sound state; other apps go on.
    case fault(SystemFault)

    /// What the kill is filed under.
    public var code: TerminationCode {
        switch self {
        case .exited(.signaled(let number)): .signal(number)
        case .exited, .launchFailed: .signal(0)
        case .watchdog, .lostContact: .watchdog
        case .tasksNotEnded(let code): code
        case .sessionEventsNotHandled: .sessionEventsNotHandled
        case .eventNotHandled(.backgroundFetch): .fetchNotHandled
        case .eventNotHandled(.remoteNotification): .watchdog
        case .tooManyTasks: .tooManyAssertions
        case .tooManyRequests, .tooMuchDisk: .excessUse
        case .memory: .jetsam("vm-pageshortage")
        case .exitsOnSuspend, .shutdown: .signal(15)
        case .forceQuit, .cutOff, .didNotExit, .deviceShutdown, .systemGone, .uninstalled, .updated, .notFreezable,
            .fault:
            .signal(9)
        }
    }
}
