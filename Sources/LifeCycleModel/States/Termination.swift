/// The way a process ended, as the kernel reports it.
public enum ExitStatus: Hashable, Sendable, Codable {
    /// The process returned from `main` or called `exit` with this code.
    case exited(code: Int32)
    /// A signal with this number ended the process.
    case signaled(Int32)
    /// The exit status is unknown, because the system did not see the exit.
    case unknown
}

/// The code that a kill is recorded under: Apple's exception code, if Apple has one (section 2.P).
public enum TerminationCode: Hashable, Sendable, Codable {
    /// One of Apple's exception codes, for example `0x8badf00d`.
    case exception(UInt32)
    /// A jetsam reason: a report without an exception code.
    case jetsam(String)
    /// The number of the signal that ended the process, if Apple documents no code.
    case signal(Int32)

    /// "Ate bad food": the watchdog.
    public static let watchdog = Self.exception(0x8bad_f00d)
    /// A background task that was not completed in time, since iOS 13.
    public static let taskNotCompleted = Self.exception(0x2182_bad2)
    /// The completion handler of a background session's events was not called in time.
    public static let sessionEventsNotHandled = Self.exception(0x2182_bad3)
    /// The completion handler of a background fetch was not called in time.
    public static let fetchNotHandled = Self.exception(0x2182_bad4)
    /// A VoIP push for which the app reported no call.
    public static let noCallReported = Self.exception(0xbaad_ca11)
    /// A VoIP app that traffic on its socket woke too often.
    public static let wokenTooOften = Self.exception(0xbad2_2222)
    /// Too many assertions.
    public static let tooManyAssertions = Self.exception(0xbada_5e47)
    /// Excessive use of key resources.
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

/// A statement that the system relies on and that turned out to be false. The fault is Roost's, never the app's.
public enum SystemFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// A process is suspended although there is a reason not to suspend the app.
    case suspendedWhileHeld
    /// A callback is sent while another has not returned, or a callback returned that was never sent.
    case callbackOutOfTurn
    /// An app is made active although another app is active.
    case activeTwice
    /// A task is open in the background without background time running.
    case taskWithoutClock
    /// An app is launched although it already has a launch, or a launch ends that was not counted.
    case launchedTwice
    /// A notification is due that the app has not scheduled.
    case notificationNotScheduled
    /// A transfer begins that is already under way, or ends that was not under way.
    case transferNotCounted
    /// An app that does not want to fetch is given an opportunity.
    case fetchNotWanted
}

/// Why a launch ended, or is being ended.
public enum TerminationReason: Hashable, Sendable, Codable {
    /// The app exited by itself, or crashed (T26).
    case exited(ExitStatus)
    /// The process could not be started; the number is the `errno`.
    case launchFailed(errno: Int32)
    /// The system was killed before it had recorded the process. If a process was left over, it was ended.
    case cutOff
    /// The app did not return from a callback in time (T21, T22, R-17, R-18).
    case watchdog(Callback)
    /// An adopted app did not exit in time after SIGTERM.
    case didNotExit
    /// The app did not connect again in time after a restart of the system.
    case lostContact
    /// The app did not end a background task before its background time was up.
    case tasksNotEnded(TerminationCode)
    /// The app did not call the completion handler of a background session's events in time.
    case sessionEventsNotHandled
    /// The app did not call the completion handler of an event in time.
    case eventNotHandled(WakeEvent)
    /// The app reported no call for a VoIP push.
    case noCallReported
    /// Traffic on the app's kept sockets woke it too often.
    case wokenTooOften
    /// The app began more tasks than the cap allows.
    case tooManyTasks
    /// The user force-quit the app (T17, T18). Apple has no code for that: 0xdeadfa11 is for a foreground app that the
    /// user forced to quit by an action that Roost does not have (TN2151).
    case forceQuit
    /// The app exceeded its request rate.
    case tooManyRequests
    /// The app's container is too large.
    case tooMuchDisk
    /// The system needed memory (T15, T16).
    case memory
    /// The app opted out of background execution and left the foreground (T20, R-123).
    case exitsOnSuspend
    /// The system is shutting down (T15, T16).
    case shutdown
    /// The device is shutting down; apps are not notified (T19).
    case deviceShutdown
    /// The system was gone and did not return in time, so that nothing could have thawed the app.
    case systemGone
    /// The app was uninstalled.
    case uninstalled
    /// The app was installed again over itself.
    case updated
    /// The kernel did not freeze the app. An app that cannot be suspended is ended.
    case notFreezable
    /// The system's own state of the app contradicts itself. The app is ended, so that it can start again from a sound
    /// state; other apps continue.
    case fault(SystemFault)

    /// The code that the kill is recorded under.
    public var code: TerminationCode {
        switch self {
        case .exited(.signaled(let number)): .signal(number)
        case .exited, .launchFailed: .signal(0)
        case .watchdog, .lostContact: .watchdog
        case .tasksNotEnded(let code): code
        case .sessionEventsNotHandled: .sessionEventsNotHandled
        case .eventNotHandled(.backgroundFetch): .fetchNotHandled
        case .eventNotHandled(.remoteNotification): .watchdog
        case .noCallReported: .noCallReported
        case .wokenTooOften: .wokenTooOften
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
