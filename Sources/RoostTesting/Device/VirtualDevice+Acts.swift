public import LifeCycleModel
import LifeCyclePolicy

/// What the user and the device do. Each returns when all of it has come to rest: the rules are gone through, callbacks
/// have returned, and the tasks and queues they have begun have nothing left to do at this instant.
extension VirtualDevice {
    /// The user opens an app.
    public func launch(_ app: VirtualApp) async { await act("you open it", .device(.appOpened(app.id)), of: app) }

    /// The user goes to the home screen.
    public func home() async { await act("you go to the home screen", .device(.homePressed)) }

    /// The user goes to an app by the app switcher; nil for the one used before.
    public func switchTo(_ app: VirtualApp?) async {
        await act("you switch to it", .device(.appSwitched(app?.id)), of: app)
    }

    /// The user swipes an app away in the app switcher.
    public func forceQuit(_ app: VirtualApp) async {
        await act("you swipe it away", .device(.appForceQuit(app.id)), of: app)
    }

    /// The screen is locked.
    public func lock() async { await act("the screen is locked", .device(.deviceLocked)) }

    /// The screen is unlocked.
    public func unlock() async { await act("the screen is unlocked", .device(.deviceUnlocked)) }

    /// Something takes the user's attention from the app in front.
    public func interrupt(by interruption: Interruption = .call) async {
        await act("an interruption: \(interruption.rawValue)", .device(.interruptionBegan(interruption)))
    }

    /// The user ignores what interrupts.
    public func dismissInterruption() async { await act("you dismiss it", .device(.interruptionDismissed)) }

    /// The user takes up what interrupts, and goes to an app by it, or to the home screen.
    public func acceptInterruption(goingTo app: VirtualApp? = nil) async {
        await act("you take it up", .device(.interruptionAccepted(app?.id)), of: app)
    }

    /// The user types into the app in front, or touches it.
    public func send(_ input: UserInput, to app: VirtualApp) async {
        await act("you touch or type", .device(.inputOccurred(app.id, input)), of: app)
    }

    /// The user changes a setting.
    public func set(_ setting: DeviceSetting) async {
        await act("a setting changes", .device(.settingChanged(setting)))
    }

    /// The user changes Background App Refresh of an app.
    public func setBackgroundRefresh(of app: VirtualApp, to isOn: Bool) async {
        await act(
            "Background App Refresh is \(isOn ? "on" : "off")", .device(.backgroundRefreshChanged(app.id, isOn)),
            of: app)
    }

    /// Something happens that an app may be woken for. An event of Bluetooth, `.bluetoothCentral` or `.bluetoothPeripheral`,
    /// is for the managers with these restore identifiers: a launch has the first 16 of at most 256 bytes among its options.
    public func wake(_ app: VirtualApp, for reason: LaunchReason, restoreIdentifiers: [String] = []) async {
        let managers = restoreIdentifiers.isEmpty ? "" : ", to " + restoreIdentifiers.joined(separator: ", ")
        await act(
            "something happens: \(reason.rawValue)\(managers)",
            .device(.wakeOccurred(app.id, reason, restoreIdentifiers: restoreIdentifiers)), of: app)
    }

    /// Memory runs low: every app that runs is warned.
    public func memoryWarning() async { await act("memory is low", .device(.memoryRanLow)) }

    /// Memory runs short: a suspended app has to go, else one that runs in the background.
    public func memoryShortage() async { await act("memory is short", .device(.memoryRanShort)) }

    /// The process of an app is killed, as by a fault nobody planned. The test expects its end.
    public func kill(_ app: VirtualApp) async {
        tell("its process is killed", of: app)
        guard let launch = app.snapshot?.launch else {
            return tell("nothing of it runs", of: app)
        }
        willKill(launch)
        body.kill(launch)
        await body.settle()
    }

    /// The device loses its power, and is started again (T19, T27). Every process is gone and was told nothing, which the test
    /// expects; what was stored is there: settings, downloads, notifications, what apps have registered for. The home screen is
    /// in front, no time has passed, and that apps were swiped away counts no more (R-126).
    ///
    /// Apps with the mode `voip` are launched into the background; where the device has a passcode, it is locked, and they are,
    /// and all others may be, once `unlock()` was called (R-124). The app used last may be started early (T28), by generation.
    ///
    /// An app whose code runs in the test's process loses its application object and delegate, as by `kill(_:)`; the next
    /// launch makes others, and statics and singletons outlive it, as they do there. An app with processes of its own begins
    /// anew, with what it has stored in its container.
    public func reboot() async {
        tell("the device loses its power, and is started again")
        for endpoint in body.endpoints { willKill(endpoint.launch) }
        body.reboot()
        await body.settle()
    }

    /// The user removes an app; what runs of it is ended first.
    public func uninstall(_ app: VirtualApp) async {
        await act("you remove it", .device(.appUninstalled(app.id)), of: app)
    }

    func act(_ text: String, _ event: Event, of app: VirtualApp? = nil) async {
        tell(text, of: app)
        body.handle(event)
        await body.settle()
    }
}
