/// RoostKit's public types and their members, as its sources have them: a test reads those, and says where this differs.
/// A line that begins with blanks goes on with the one before.
enum RoostKitTable {
    static let text = """
        ActivationBoundQueue = invalidate
        ActivationBoundTimer = invalidate isRunning
        DeviceClock = Instant minimumResolution now sleep
        ScenePhase = active background inactive
        ScenePhases = Element Failure Iterator makeAsyncIterator
        UIApplication UIResponder = LaunchOptionsKey State applicationState backgroundRefreshStatus
          backgroundRefreshStatusDidChangeNotification backgroundTimeRemaining beginBackgroundTask connectedScenes
          delegate didBecomeActiveNotification didEnterBackgroundNotification didFinishLaunchingNotification
          didReceiveMemoryWarningNotification endBackgroundTask isIdleTimerDisabled isProtectedDataAvailable
          keyWindow next openSessions protectedDataDidBecomeAvailableNotification
          protectedDataWillBecomeUnavailableNotification requestSceneSessionActivation
          requestSceneSessionDestruction requestSceneSessionRefresh scenePhases sendEvent shared
          significantTimeChangeNotification supportsMultipleScenes willEnterForegroundNotification
          willResignActiveNotification willTerminateNotification windows
        UIApplicationDelegate = application applicationDidBecomeActive applicationDidEnterBackground
          applicationDidReceiveMemoryWarning applicationProtectedDataDidBecomeAvailable
          applicationProtectedDataWillBecomeUnavailable applicationSignificantTimeChange
          applicationWillEnterForeground applicationWillResignActive applicationWillTerminate main window
        UIBackgroundRefreshStatus = available denied restricted
        UIBackgroundTaskIdentifier = invalid rawValue
        UIColor = black blue brown clear cyan darkGray getRed gray green hash isEqual label lightGray magenta orange
          purple red secondaryLabel secondarySystemBackground separator systemBackground systemBlue systemGray
          systemGreen systemGroupedBackground systemIndigo systemOrange systemPink systemPurple systemRed systemTeal
          systemYellow tertiarySystemBackground white withAlphaComponent yellow
        UICoordinateSpace = bounds
        UIDevice = BatteryState batteryLevel batteryLevelDidChangeNotification batteryState
          batteryStateDidChangeNotification current isBatteryMonitoringEnabled isMultitaskingSupported
        UIEvent = EventSubtype EventType allTouches subtype timestamp touches type
        UIKey = characters charactersIgnoringModifiers modifierFlags
        UIKeyInput = deleteBackward hasText insertText
        UIKeyModifierFlags = alphaShift alternate command control numericPad rawValue shift
        UIModalPresentationStyle = automatic currentContext custom formSheet fullScreen none overCurrentContext
          overFullScreen pageSheet popover
        UIOpenURLContext = url
        UIPress = Phase force key phase responder timestamp window
        UIPressesEvent UIEvent = allPresses type
        UIResponder = becomeFirstResponder canBecomeFirstResponder canResignFirstResponder isFirstResponder next
          pressesBegan pressesCancelled pressesChanged pressesEnded resignFirstResponder touchesBegan
          touchesCancelled touchesEnded touchesMoved
        UIScene UIResponder = ActivationRequestOptions ActivationState ConnectionOptions activationState delegate
          didActivateNotification didDisconnectNotification didEnterBackgroundNotification next session subtitle
          title willConnectNotification willDeactivateNotification willEnterForegroundNotification
        UISceneConfiguration = delegateClass name role sceneClass
        UISceneDelegate = scene sceneDidBecomeActive sceneDidDisconnect sceneDidEnterBackground
          sceneWillEnterForeground sceneWillResignActive
        UISceneDestructionRequestOptions =
        UISceneError = Code code errorCode errorDomain multipleScenesNotSupported requestDenied
        UISceneSession = Role configuration persistentIdentifier role scene userInfo
        UIScreen UICoordinateSpace = bounds main nativeBounds nativeScale scale
        UITouch = Phase location phase previousLocation tapCount timestamp view window
        UIView UIResponder UICoordinateSpace = AutoresizingMask ContentMode addSubview alpha autoresizesSubviews
          autoresizingMask backgroundColor bounds bringSubviewToFront center clipsToBounds contentMode convert
          didAddSubview didMoveToSuperview didMoveToWindow draw frame hitTest insertSubview isDescendant isHidden
          isMultipleTouchEnabled isOpaque isUserInteractionEnabled layoutIfNeeded layoutSubviews next point
          removeFromSuperview sendSubviewToBack setNeedsDisplay setNeedsLayout sizeThatFits sizeToFit subviews
          superview tag tintColor viewWithTag willMove willRemoveSubview window
        UIViewController UIResponder = addChild children didMove didReceiveMemoryWarning dismiss isViewLoaded
          loadView loadViewIfNeeded modalPresentationStyle next nibBundle nibName parent present
          presentedViewController presentingViewController removeFromParent title view viewDidAppear
          viewDidDisappear viewDidLayoutSubviews viewDidLoad viewIfLoaded viewIsAppearing viewWillAppear
          viewWillDisappear viewWillLayoutSubviews willMove
        UIWindow UIView = Level becomeKey canBecomeKey didBecomeHiddenNotification didBecomeKeyNotification
          didBecomeVisibleNotification didResignKeyNotification isHidden isKeyWindow makeKey makeKeyAndVisible next
          resignKey rootViewController screen sendEvent window windowLevel windowScene
        UIWindowScene UIScene = coordinateSpace keyWindow screen windows
        UIWindowSceneDelegate UISceneDelegate = window
        """
}
