import AppCore
public import Foundation
import RoostKit

/// A view of the app's calls. Unlike on iOS, calls of other apps are not visible.
///
/// Keep the observer: it does not call its delegate after its release.
@preconcurrency @MainActor open class CXCallObserver: NSObject {
    private weak var delegate: (any CXCallObserverDelegate)?
    nonisolated private let app: AppSession
    nonisolated private let listener: ProviderCalls

    /// Creates an observer.
    nonisolated public override init() {
        let app = AppSession.current
        self.app = app
        listener = .of(app)
        super.init()
    }

    /// The calls of the app that ring, were begun, or are on, oldest first. Any thread.
    nonisolated open var calls: [CXCall] { app.readingVoIP(\.callSnapshots).map { CXCall($0) } }

    /// Sets the object that is called about changes of calls.
    ///
    /// - Parameters:
    ///   - delegate: The object. It is not kept alive.
    ///   - queue: No effect: the delegate's method runs on the main thread.
    open func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue?) {
        self.delegate = delegate
        if delegate == nil { return }
        listener.add(self)
        app.changingCalls { core, _ in core.observeCalls() }
    }

    func changed(_ call: CXCall) { delegate?.callObserver(self, callChanged: call) }
}

/// The object that an observer calls about changes of calls.
@preconcurrency @MainActor public protocol CXCallObserverDelegate: NSObjectProtocol {
    /// A call of the app is new, has changed, or is over.
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall)
}
