/// RoostKit's public types and their members. A test compares the table with RoostKit's sources. A line that begins
/// with blanks continues the line before it.
enum RoostKitTable {
    /// The tables by RoostKit's folders that belong to a concern; "" has the table of all other folders.
    static let parts = [
        "": general,
        "Fetch": fetch,
        "Notifications": notifications,
        "Sockets": sockets,
    ]

    private static let general = """
        ActivationBoundQueue = invalidate
        ActivationBoundTimer = invalidate isRunning
        AppSession.Outlet = host none socket
        DeviceClock = Instant minimumResolution now sleep
        DeviceClock.Instant = < advanced duration
        DispatchQueue = async asyncAfter
        ListeningConcern = audio calls location pushes sockets
        Notification.Name = NSProcessInfoPowerStateDidChange
        NotificationCenter = Notifications addObserver notifications
        NotificationCenter.Notifications = Element Failure Iterator makeAsyncIterator
        NotificationCenter.Notifications.Iterator = Element Failure next
        ProcessInfo = isLowPowerModeEnabled performExpiringActivity
        ScenePhase = active background inactive
        ScenePhases = Element Failure Iterator makeAsyncIterator
        ScenePhases.Iterator = next
        TestRecord = began called ended expired logged posted
        UIApplication UIResponder = LaunchOptionsKey State applicationState backgroundRefreshStatus
          backgroundRefreshStatusDidChangeNotification backgroundTimeRemaining beginBackgroundTask
          connectedScenes delegate didBecomeActiveNotification didEnterBackgroundNotification
          didFinishLaunchingNotification didReceiveMemoryWarningNotification endBackgroundTask
          isIdleTimerDisabled isProtectedDataAvailable keyWindow next openSessions
          protectedDataDidBecomeAvailableNotification protectedDataWillBecomeUnavailableNotification
          requestSceneSessionActivation requestSceneSessionDestruction requestSceneSessionRefresh scenePhases
          sendEvent shared significantTimeChangeNotification supportsMultipleScenes
          willEnterForegroundNotification willResignActiveNotification willTerminateNotification windows
        UIApplication.LaunchOptionsKey = annotation bluetoothCentrals bluetoothPeripherals localNotification
          location newsstandDownloads rawValue remoteNotification shortcutItem sourceApplication url
          userActivityDictionary userActivityType
        UIApplication.State = active background inactive
        UIApplicationDelegate = application applicationDidBecomeActive applicationDidEnterBackground
          applicationDidReceiveMemoryWarning applicationProtectedDataDidBecomeAvailable
          applicationProtectedDataWillBecomeUnavailable applicationSignificantTimeChange
          applicationWillEnterForeground applicationWillResignActive applicationWillTerminate main window
        UIBackgroundRefreshStatus = available denied restricted
        UIBackgroundTaskIdentifier = invalid rawValue
        UIColor = black blue brown clear cyan darkGray getRed gray green hash isEqual label lightGray magenta
          orange purple red secondaryLabel secondarySystemBackground separator systemBackground systemBlue
          systemGray systemGreen systemGroupedBackground systemIndigo systemOrange systemPink systemPurple
          systemRed systemTeal systemYellow tertiarySystemBackground white withAlphaComponent yellow
        UICoordinateSpace = bounds
        UIDevice = BatteryState batteryLevel batteryLevelDidChangeNotification batteryState
          batteryStateDidChangeNotification current isBatteryMonitoringEnabled isMultitaskingSupported
        UIDevice.BatteryState = charging full unknown unplugged
        UIEvent = EventSubtype EventType allTouches subtype timestamp touches type
        UIEvent.EventSubtype = motionShake none
        UIEvent.EventType = motion presses remoteControl touches
        UIKey = characters charactersIgnoringModifiers modifierFlags
        UIKeyInput = deleteBackward hasText insertText
        UIKeyModifierFlags = alphaShift alternate command control numericPad rawValue shift
        UIModalPresentationStyle = automatic currentContext custom formSheet fullScreen none overCurrentContext
          overFullScreen pageSheet popover
        UIOpenURLContext = url
        UIPress = Phase force key phase responder timestamp window
        UIPress.Phase = began cancelled changed ended stationary
        UIPressesEvent UIEvent = allPresses type
        UIResponder = becomeFirstResponder canBecomeFirstResponder canResignFirstResponder isFirstResponder next
          pressesBegan pressesCancelled pressesChanged pressesEnded resignFirstResponder touchesBegan
          touchesCancelled touchesEnded touchesMoved
        UIScene UIResponder = ActivationRequestOptions ActivationState ConnectionOptions activationState
          delegate didActivateNotification didDisconnectNotification didEnterBackgroundNotification next session
          subtitle title willConnectNotification willDeactivateNotification willEnterForegroundNotification
        UIScene.ActivationRequestOptions = requestingScene
        UIScene.ActivationState = background foregroundActive foregroundInactive unattached
        UIScene.ConnectionOptions = handoffUserActivityType sourceApplication urlContexts
        UISceneConfiguration = delegateClass name role sceneClass
        UISceneDelegate = scene sceneDidBecomeActive sceneDidDisconnect sceneDidEnterBackground
          sceneWillEnterForeground sceneWillResignActive
        UISceneDestructionRequestOptions =
        UISceneError = Code code errorCode errorDomain multipleScenesNotSupported requestDenied
        UISceneError.Code = geometryRequestDenied geometryRequestUnsupported multipleScenesNotSupported
          requestDenied
        UISceneSession = Role configuration persistentIdentifier role scene userInfo
        UISceneSession.Role = rawValue windowApplication windowExternalDisplayNonInteractive
        UIScreen UICoordinateSpace = bounds main nativeBounds nativeScale scale
        UITouch = Phase location phase previousLocation tapCount timestamp view window
        UITouch.Phase = began cancelled ended moved stationary
        UIView UIResponder UICoordinateSpace = AutoresizingMask ContentMode addSubview alpha autoresizesSubviews
          autoresizingMask backgroundColor bounds bringSubviewToFront center clipsToBounds contentMode convert
          didAddSubview didMoveToSuperview didMoveToWindow draw frame hitTest insertSubview isDescendant
          isHidden isMultipleTouchEnabled isOpaque isUserInteractionEnabled layoutIfNeeded layoutSubviews next
          point removeFromSuperview sendSubviewToBack setNeedsDisplay setNeedsLayout sizeThatFits sizeToFit
          subviews superview tag tintColor viewWithTag willMove willRemoveSubview window
        UIView.AutoresizingMask = flexibleBottomMargin flexibleHeight flexibleLeftMargin flexibleRightMargin
          flexibleTopMargin flexibleWidth rawValue
        UIView.ContentMode = bottom bottomLeft bottomRight center left redraw right scaleAspectFill
          scaleAspectFit scaleToFill top topLeft topRight
        UIViewController UIResponder = addChild children didMove didReceiveMemoryWarning dismiss isViewLoaded
          loadView loadViewIfNeeded modalPresentationStyle next nibBundle nibName parent present
          presentedViewController presentingViewController removeFromParent title view viewDidAppear
          viewDidDisappear viewDidLayoutSubviews viewDidLoad viewIfLoaded viewIsAppearing viewWillAppear
          viewWillDisappear viewWillLayoutSubviews willMove
        UIWindow UIView = Level becomeKey canBecomeKey didBecomeHiddenNotification didBecomeKeyNotification
          didBecomeVisibleNotification didResignKeyNotification isHidden isKeyWindow makeKey makeKeyAndVisible
          next resignKey rootViewController screen sendEvent window windowLevel windowScene
        UIWindow.Level = < alert normal rawValue statusBar
        UIWindowScene UIScene = coordinateSpace keyWindow screen windows
        UIWindowSceneDelegate UISceneDelegate = window
        """
}
