import AppCore
public import Foundation
import LifeCycleModel
import RoostAVFAudio
import RoostKit

/// An app's access to the calls of the device.
///
/// Make one provider and keep it: a provider that is released is invalidated. Calls may be reported on any thread; the
/// delegate belongs to the main thread.
///
/// `provider(_:execute:)`, `pendingTransactions`, groups of calls and tones do not exist.
@preconcurrency @MainActor open class CXProvider: NSObject {
    private struct Key: Hashable {
        let kind: CallAction
        let call: CallID
    }

    private struct Entry {
        weak var action: CXCallAction?
    }

    /// The settings of the provider.
    open var configuration: CXProviderConfiguration

    private weak var delegate: (any CXProviderDelegate)?
    /// The actions that the delegate was given.
    private var actions: [Key: Entry] = [:]
    /// The number of the provider in the app's core.
    nonisolated private let id: CallProviderID
    nonisolated private let app: AppSession
    nonisolated private let calls: ProviderCalls

    /// Creates a provider.
    public init(configuration: CXProviderConfiguration) {
        let app = AppSession.current
        self.configuration = configuration
        self.app = app
        calls = .of(app)
        id = app.changingCalls { core, _ in core.addCallProvider() }
        super.init()
        calls.add(self, id)
    }

    deinit { app.changingCalls { [id] core, steps in core.invalidateCallProvider(id, into: &steps) } }

    /// Sets the object that performs the actions of the user and of `CXCallController`.
    ///
    /// - Parameters:
    ///   - delegate: The object. It is not kept alive. Without a delegate, actions fail.
    ///   - queue: No effect: the delegate's methods run on the main thread.
    open func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) { self.delegate = delegate }

    /// Ends the calls of the provider. The delegate is not called any longer.
    nonisolated open func invalidate() {
        // The app may be suspended without its last call.
        app.keepBeforeSuspension()
        app.changingCalls { [id] core, steps in core.invalidateCallProvider(id, into: &steps) }
    }

    // MARK: Reports

    /// Reports an incoming call, which rings. Any thread.
    ///
    /// - Parameters:
    ///   - callUUID: A name for the call, by which all methods know it.
    ///   - update: The caller.
    ///   - completion: Called soon on the main thread, with nil if the call rings, otherwise with a
    ///     `CXErrorCodeIncomingCallError`.
    @preconcurrency nonisolated open func reportNewIncomingCall(
        with callUUID: UUID, update: CXCallUpdate,
        completion: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        let report = calls.remember(completion)
        let facts = CallUpdate(caller: update.caller ?? "", hasVideo: update.hasVideo)
        app.changingCalls { [id] core, steps in
            core.reportCall(callUUID.callID, facts, by: id, as: report, into: &steps)
        }
    }

    /// Reports an incoming call, and returns when it rings.
    ///
    /// - Parameters:
    ///   - callUUID: A name for the call, by which all methods know it.
    ///   - update: The caller.
    /// - Throws: A `CXErrorCodeIncomingCallError` if the call is not shown.
    open func reportNewIncomingCall(with callUUID: UUID, update: CXCallUpdate) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            reportNewIncomingCall(with: callUUID, update: update) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Changes the facts of a call that are set in the update. Any thread.
    nonisolated open func reportCall(with callUUID: UUID, updated update: CXCallUpdate) {
        let (caller, video) = (update.caller, update.video)
        app.changingCalls { core, steps in
            core.updateCall(callUUID.callID, caller: caller, hasVideo: video, into: &steps)
        }
    }

    /// Ends a call for another reason than an action of the user. Any thread.
    ///
    /// - Parameters:
    ///   - callUUID: The name of the call. If the app has no such call, nothing happens.
    ///   - dateEnded: No effect.
    ///   - endedReason: The reason.
    nonisolated open func reportCall(
        with callUUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason
    ) {
        // The app may be suspended without its last call.
        app.keepBeforeSuspension()
        app.changingCalls { core, steps in
            core.endCall(callUUID.callID, CallEndedReason(endedReason), into: &steps)
        }
    }

    /// Reports that the app has begun to connect an outgoing call. It has no effect.
    ///
    /// - Parameters:
    ///   - callUUID: The name of the call.
    ///   - dateStartedConnecting: No effect.
    nonisolated open func reportOutgoingCall(
        with callUUID: UUID, startedConnectingAt dateStartedConnecting: Date?
    ) {}

    /// Reports that the other side has answered an outgoing call. Any thread.
    ///
    /// - Parameters:
    ///   - callUUID: The name of the call. If the app has no such call, nothing happens.
    ///   - dateConnected: No effect.
    nonisolated open func reportOutgoingCall(with callUUID: UUID, connectedAt dateConnected: Date?) {
        app.changingCalls { core, steps in core.connectedCall(callUUID.callID, into: &steps) }
    }

    // MARK: Calls of the delegate

    func perform(_ kind: CallAction, _ call: CallID) {
        let action = makeAction(kind, call)
        actions = actions.filter { $0.value.action != nil }
        actions[Key(kind: kind, call: call)] = Entry(action: action)
        guard let delegate else { return action.fail() }
        action.perform(by: delegate, of: self)
    }

    /// The delegate gets the action that it was given, if it has kept it.
    func timedOut(_ kind: CallAction, _ call: CallID) {
        let action = actions.removeValue(forKey: Key(kind: kind, call: call))?.action ?? makeAction(kind, call)
        action.complete()
        guard let delegate else { return }
        delegate.provider(self, timedOutPerforming: action)
    }

    func audioChanged(isActive: Bool) {
        guard let delegate else { return }
        let session = AVAudioSession.sharedInstance()
        if isActive {
            delegate.provider(self, didActivate: session)
        } else {
            delegate.provider(self, didDeactivate: session)
        }
    }

    private func makeAction(_ kind: CallAction, _ call: CallID) -> CXCallAction {
        let origin = calls.takeAction(kind, call)
        let task = ActionTask(origin: origin) { [app] isFulfilled in
            // The app may be suspended without its last call.
            app.keepBeforeSuspension()
            app.changingCalls { core, steps in
                core.performedCallAction(kind, call, isFulfilled: isFulfilled, into: &steps)
            }
        }
        return switch kind {
        case .answer: CXAnswerCallAction(call: call.uuid, task: task)
        case .end: CXEndCallAction(call: call.uuid, task: task)
        case .start:
            CXStartCallAction(
                call: call.uuid, (origin as? CXStartCallAction)?.details ?? details(of: call), task: task)
        case .hold, .resume: CXSetHeldCallAction(call: call.uuid, onHold: kind == .hold, task: task)
        case .mute, .unmute: CXSetMutedCallAction(call: call.uuid, muted: kind == .mute, task: task)
        }
    }

    /// The facts of an outgoing call, as the system knows them.
    private func details(of call: CallID) -> CXStartCallAction.Details {
        let update = app.readingVoIP { $0.callUpdate(of: call) }
        let handle = CXHandle(type: .generic, value: update?.caller ?? "")
        return CXStartCallAction.Details(handle: handle, isVideo: update?.hasVideo ?? false)
    }
}
