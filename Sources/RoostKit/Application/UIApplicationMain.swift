import Foundation

/// Creates the application object and its delegate, connects to the system, and runs the main run loop. Never returns
/// (R-01, K001). An app whose delegate carries `@main` does not call it.
///
/// - Parameters:
///   - argc: The number of arguments.
///   - argv: The arguments.
///   - principalClassName: The class of the application object. If nil, `NSPrincipalClass` of `Info.plist`, or
///     `UIApplication` by default.
///   - delegateClassName: The class of the delegate, as `NSStringFromClass` returns it; nil for no delegate.
@discardableResult @preconcurrency @MainActor public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    var delegate: (any UIApplicationDelegate.Type)?
    if let delegateClassName {
        guard let type = NSClassFromString(delegateClassName) as? any UIApplicationDelegate.Type else {
            AppLog.fail("the app delegate class \(delegateClassName) does not exist", code: EX_SOFTWARE)
        }
        delegate = type
    }
    AppRunner.run(principalClassName: principalClassName, delegate: delegate)
}
