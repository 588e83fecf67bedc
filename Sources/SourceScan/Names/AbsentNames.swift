/// A name of Apple's Foundation, C libraries or UIKit that does not exist on Linux.
struct AbsentName: Sendable {
    /// The tokens of a use, separated by blanks. The look-up uses the first word.
    let pattern: String
    let kind: Obstacle.Kind
    let advice: String
    /// A line that does not compile for this reason, for the test that runs the compiler.
    let example: String

    /// The name in reports: `value(forKey:)`, `Timer.publish`.
    var name: String {
        let text = pattern.split(separator: " ").drop { $0 == "." }.joined()
        guard text.contains("(") else { return text }
        return text.last == "\\" ? text + "…)" : text + ":)"
    }

    init(_ pattern: String, _ kind: Obstacle.Kind, _ advice: String, example: String) {
        self.pattern = pattern
        self.kind = kind
        self.advice = advice
        self.example = example
    }

    private static let closures = "a closure, or an async sequence"
    private static let ownFile = "move it to a file under #if canImport(ObjectiveC)"
    private static let device = "put it behind a protocol of the app"

    /// All absent names.
    static let all: [AbsentName] = objectiveC + foundation + applications

    private static let objectiveC: [AbsentName] = [
        AbsentName(
            ". value ( forKey", .objectiveC, "a property, or a Swift key path",
            example: #"_ = NSObject().value(forKey: "x")"#),
        AbsentName(
            ". observe ( \\", .objectiveC, closures,
            example: #"_ = UserDefaults.standard.observe(\.description) { _, _ in }"#
        ),
        AbsentName(
            ". responds ( to", .objectiveC, "a conditional cast to a protocol",
            example: "_ = NSObject().responds(to: nil)"),
        AbsentName(
            "NSPredicate ( format", .objectiveC, "NSPredicate(block:), or a closure",
            example: #"_ = NSPredicate(format: "x == 1")"#),
        AbsentName(
            "autoreleasepool", .objectiveC, "omit it here: #if canImport(ObjectiveC)",
            example: "autoreleasepool { print(1) }"),
        AbsentName("objc_getAssociatedObject", .objectiveC, ownFile, example: "_ = objc_getAssociatedObject"),
        AbsentName("objc_setAssociatedObject", .objectiveC, ownFile, example: "_ = objc_setAssociatedObject"),
        AbsentName("class_getInstanceMethod", .objectiveC, ownFile, example: "_ = class_getInstanceMethod"),
        AbsentName(
            "method_exchangeImplementations", .objectiveC, ownFile, example: "_ = method_exchangeImplementations"),
    ]

    private static let foundation: [AbsentName] = [
        AbsentName(
            "DispatchSource . makeMemoryPressureSource", .foundation,
            "UIApplication.didReceiveMemoryWarningNotification",
            example: "_ = DispatchSource.makeMemoryPressureSource(eventMask: .warning, queue: .main)"),
        AbsentName(
            ". publisher ( for", .foundation, closures,
            example: #"_ = NotificationCenter.default.publisher(for: Notification.Name("x"))"#),
        AbsentName(
            "Timer . publish", .foundation, "Timer with a block",
            example: "_ = Timer.publish(every: 1, on: .main, in: .common)"),
        AbsentName(
            "String ( localized", .foundation, "NSLocalizedString(_:comment:)", example: #"_ = String(localized: "x")"#),
        AbsentName(". thermalState", .foundation, device, example: "_ = ProcessInfo.processInfo.thermalState"),
        AbsentName(
            ". containerURL ( forSecurityApplicationGroupIdentifier", .foundation, device,
            example: #"_ = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "x")"#),
        AbsentName(
            ". ubiquityIdentityToken", .foundation, device, example: "_ = FileManager.default.ubiquityIdentityToken"),
        AbsentName(
            "DateComponentsFormatter", .foundation, "text made of the DateComponents",
            example: "_ = DateComponentsFormatter()"),
        AbsentName(
            "CFAbsoluteTimeGetCurrent", .foundation, "Date().timeIntervalSinceReferenceDate",
            example: "_ = CFAbsoluteTimeGetCurrent()"),
        AbsentName(
            "CACurrentMediaTime", .foundation, "ProcessInfo.processInfo.systemUptime",
            example: "_ = CACurrentMediaTime()"),
        AbsentName(
            "mach_absolute_time", .foundation, "ProcessInfo.processInfo.systemUptime",
            example: "_ = mach_absolute_time()"),
        AbsentName("os_unfair_lock", .foundation, "NSLock", example: "_ = os_unfair_lock()"),
        AbsentName("os_log", .foundation, "a logging function of the app", example: #"os_log("x")"#),
        AbsentName(
            "OSAtomicIncrement32", .foundation, "Atomic, of Synchronization", example: "_ = OSAtomicIncrement32"),
    ]

    /// Names of the application, its controllers and its views, in uses by a class on itself. RoostKit's own table
    /// finds uses on a receiver with a declared type.
    private static let applications: [AbsentName] = [
        ("canOpenURL", #"_ = UIApplication.shared.canOpenURL(URL(fileURLWithPath: "/"))"#),
        ("identifierForVendor", "_ = UIDevice.current.identifierForVendor"),
        ("systemVersion", "_ = UIDevice.current.systemVersion"),
        ("navigationController", "_ = UIViewController().navigationController"),
        ("navigationItem", "_ = UIViewController().navigationItem"),
        ("tabBarController", "_ = UIViewController().tabBarController"),
        ("tabBarItem", "_ = UIViewController().tabBarItem"),
        ("splitViewController", "_ = UIViewController().splitViewController"),
        ("storyboard", "_ = UIViewController().storyboard"),
        ("performSegue", #"UIViewController().performSegue(withIdentifier: "x", sender: nil)"#),
        ("instantiateInitialViewController", "_ = UIViewController().instantiateInitialViewController"),
        ("traitCollection", "_ = UIViewController().traitCollection"),
        ("safeAreaLayoutGuide", "_ = UIView().safeAreaLayoutGuide"),
        ("topAnchor", "_ = UIView().topAnchor"),
        ("leadingAnchor", "_ = UIView().leadingAnchor"),
        ("centerXAnchor", "_ = UIView().centerXAnchor"),
        ("widthAnchor", "_ = UIView().widthAnchor"),
        ("addGestureRecognizer", "_ = UIView().addGestureRecognizer"),
        ("translatesAutoresizingMaskIntoConstraints", "UIView().translatesAutoresizingMaskIntoConstraints = false"),
        ("setNeedsStatusBarAppearanceUpdate", "UIViewController().setNeedsStatusBarAppearanceUpdate()"),
    ].map {
        AbsentName($0.0, .uikit, "move it to a file that only iOS builds, or put it behind a protocol", example: $0.1)
    }

    /// The names by the first word of their patterns.
    static let byWord: [String: [AbsentName]] = Dictionary(
        grouping: all, by: { $0.pattern.split(separator: " ").first { $0 != "." }.map(String.init) ?? "" })
}
