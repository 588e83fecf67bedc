import Foundation

/// Makes the application object and its delegate, connects to the system, and runs the main run loop; never returns
/// (R-01, K001). An app whose delegate carries `@main` never calls it itself.
///
/// - Parameters:
///   - argc: The count of arguments.
///   - argv: The arguments.
///   - principalClassName: The class of the application object; nil for `NSPrincipalClass` of `Info.plist`, else
///     `UIApplication`.
///   - delegateClassName: The class of the delegate, as `NSStringFromClass` gives it; nil for none.
@discardableResult @preconcurrency @MainActor public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    var delegate: AnyClass?
    if let delegateClassName {
        guard let type = NSClassFromString(delegateClassName), type is any UIApplicationDelegate.Type else {
            AppLog.fail("there is no app delegate class \(delegateClassName)", code: EX_SOFTWARE)
        }
        delegate = type
    }
    AppRunner.run(principalClassName: principalClassName, delegate: delegate)
}
