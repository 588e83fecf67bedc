public import LifeCycleModel
import LifeCyclePolicy

/// Actions of the user and the device. Each method returns when the device has settled. At that point the rules were
/// applied, callbacks have returned, and the callbacks' tasks and queues have no work at this instant.
extension VirtualDevice {
    /// The user opens an app.
    public func launch(_ app: VirtualApp) async { await act("you open it", .device(.appOpened(app.id)), of: app) }

    /// The user goes to the home screen.
    public func home() async { await act("you go to the home screen", .device(.homePressed)) }

    /// The user switches to an app in the app switcher; nil for the app used before.
    public func switchTo(_ app: VirtualApp?) async {
        await act("you switch to it", .device(.appSwitched(app?.id)), of: app)
    }

    /// The user swipes an app away in the app switcher, which force-quits it.
    public func forceQuit(_ app: VirtualApp) async {
        await act("you swipe it away", .device(.appForceQuit(app.id)), of: app)
    }

    /// The user locks the screen.
    public func lock() async { await act("the screen is locked", .device(.deviceLocked)) }

    /// The user unlocks the screen.
    public func unlock() async { await act("the screen is unlocked", .device(.deviceUnlocked)) }

    /// Something interrupts the foreground app, a call by default.
    public func interrupt(by interruption: Interruption = .call) async {
        await act("an interruption: \(interruption.rawValue)", .device(.interruptionBegan(interruption)))
    }

    /// The user dismisses the interruption.
    public func dismissInterruption() async { await act("you dismiss it", .device(.interruptionDismissed)) }

    /// The user accepts the interruption, which leads to an app, or to the home screen if `app` is nil.
    public func acceptInterruption(goingTo app: VirtualApp? = nil) async {
        await act("you accept it", .device(.interruptionAccepted(app?.id)), of: app)
    }

    /// The user types into the foreground app, or touches it.
    public func send(_ input: UserInput, to app: VirtualApp) async {
        await act("you touch or type", .device(.inputOccurred(app.id, input)), of: app)
    }

    /// The user changes a setting.
    public func set(_ setting: DeviceSetting) async {
        await act("a setting changes", .device(.settingChanged(setting)))
    }

    /// The user turns an app's Background App Refresh on or off.
    public func setBackgroundRefresh(of app: VirtualApp, to isOn: Bool) async {
        await act(
            "Background App Refresh is \(isOn ? "on" : "off")", .device(.backgroundRefreshChanged(app.id, isOn)),
            of: app)
    }

    /// An event occurs for which an app may be woken. For a Bluetooth event (`.bluetoothCentral`,
    /// `.bluetoothPeripheral`), pass the restore identifiers of the app's managers. Identifiers longer than 256 bytes
    /// are dropped; the launch options hold the first 16 valid identifiers.
    public func wake(_ app: VirtualApp, for reason: LaunchReason, restoreIdentifiers: [String] = []) async {
        let managers = restoreIdentifiers.isEmpty ? "" : ", to " + restoreIdentifiers.joined(separator: ", ")
        await act(
            "an event occurs: \(reason.rawValue)\(managers)",
            .device(.wakeOccurred(app.id, reason, restoreIdentifiers: restoreIdentifiers)), of: app)
    }

    /// Memory runs low: every running app gets a warning.
    public func memoryWarning() async { await act("memory is low", .device(.memoryRanLow)) }

    /// Memory runs short: a suspended app is terminated. If no app is suspended, an app in the background is
    /// terminated.
    public func memoryShortage() async { await act("memory is critical", .device(.memoryRanShort)) }

    /// An app's process is killed unexpectedly. The test expects this end, so this end does not fail the test.
    public func kill(_ app: VirtualApp) async {
        tell("its process is killed", of: app)
        guard let launch = app.snapshot?.launch else {
            return tell("it is not running", of: app)
        }
        willKill(launch)
        body.kill(launch)
        await body.settle()
    }

    /// The device loses power and starts again (T19, T27).
    ///
    /// - Every process ends without notification, which does not fail the test.
    /// - Stored data remains: settings, downloads, notifications and registrations.
    /// - The home screen is visible, no time has passed, and force-quit flags are cleared (R-126).
    /// - Apps with the mode `voip` are launched into the background.
    /// - If the device has a passcode, it is locked. Apps are launched only after `unlock()` (R-124).
    /// - The app used last may be prewarmed, depending on the iOS generation (T28).
    ///
    /// An app whose code runs in the test's process loses its application object and delegate, as with `kill(_:)`. The
    /// next launch creates new objects. Unlike in a real process, statics and singletons survive. An app with separate
    /// processes starts from the data in its container.
    public func reboot() async {
        tell("the device loses power and starts again")
        for endpoint in body.endpoints { willKill(endpoint.launch) }
        body.reboot()
        await body.settle()
    }

    /// The user removes an app; a running app is terminated first.
    public func uninstall(_ app: VirtualApp) async {
        await act("you remove it", .device(.appUninstalled(app.id)), of: app)
    }

    func act(_ text: String, _ event: Event, of app: VirtualApp? = nil) async {
        tell(text, of: app)
        body.handle(event)
        await body.settle()
    }
}
