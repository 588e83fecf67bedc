/// A push for an app's calls. It does not outlive a restart of the system: the caller has given up by
/// then.
public struct VoIPPush: Hashable, Sendable, Codable {
    /// The largest payload, in bytes of UTF-8.
    public static let largestPayload = 5120
    /// The most pushes that wait for an app.
    public static let mostWaiting = 16

    /// The number of the push, counted from 1 for each app.
    public let number: Int64
    /// The payload: a JSON object.
    public let payload: String

    /// A push that has arrived.
    public init(number: Int64, payload: String) { (self.number, self.payload) = (number, payload) }
}

/// A request of an app about its VoIP pushes and calls.
public enum VoIPRequest: Hashable, Sendable, Codable {
    /// Whether `PKPushRegistry.desiredPushTypes` has `voIP`.
    case setRegistered(Bool)
    /// The delegate's method has returned from the push with this number.
    case returned(Int64)
    /// The completion handler of the push with this number was called.
    case completed(Int64)
    /// `reportNewIncomingCall(with:update:completion:)`, answered by `VoIPNews.reported`.
    case report(CallID, CallUpdate)
    /// `reportCall(with:updated:)`.
    case update(CallID, CallUpdate)
    /// `reportCall(with:endedAt:reason:)`.
    case ended(CallID, CallEndedReason)
    /// `CXAction.fulfill()`, or `fail()`.
    case performed(CallAction, CallID, isFulfilled: Bool)
    /// `CXCallController.request(_:completion:)` with the app's number of the transaction, from 1, and 1 to
    /// `mostActions` actions; answered by `VoIPNews.transacted`.
    case transact(Int64, [CallRequest])
    /// `reportOutgoingCall(with:connectedAt:)`.
    case connected(CallID)

    /// The most actions of a transaction.
    public static let mostActions = 16
}

/// A report about VoIP pushes, or an action of the user with calls.
public enum VoIPInput: Hashable, Sendable, Codable {
    /// A push came for an app, with this payload.
    indirect case pushArrived(AppID, payload: String)
    /// The token of an app was made from random bytes; nil if there are none.
    case tokenMade(AppID, DeviceToken?)
    /// The app's record, with its token, is persisted.
    case tokenPersisted(AppID)
    /// The user acts on a call.
    case chosen(CallChoice)

    var appAskedFor: AppID? {
        switch self {
        case .pushArrived(let app, _): app
        case .tokenMade, .tokenPersisted, .chosen: nil
        }
    }
}

/// Work for the adapter of VoIP pushes.
public enum VoIPOutput: Hashable, Sendable, Codable {
    /// Make an app's token from random bytes; answered by `tokenMade`.
    case makeToken(AppID)
    /// Report `tokenPersisted` once the app's record is persisted.
    case confirmToken(AppID)
}

/// A message to an app about its calls.
public enum VoIPNews: Hashable, Sendable, Codable {
    /// The answer to `report`: why the call is not shown, or nil if it is.
    case reported(CallID, CallFailure?)
    /// The answer to `transact`: why nothing of it is performed, or nil if the app is called for each action.
    case transacted(Int64, TransactionFailure?)
}

/// A call of an app's code that concerns its VoIP pushes and calls.
public indirect enum VoIPCall: Hashable, Sendable, Codable, DeliveredCall {
    /// The registry has this token.
    case tokenUpdated(DeviceToken)
    /// A push came.
    case push(VoIPPush)
    /// The provider performs an action, which the user has chosen, or the app has asked for.
    case perform(CallAction, CallID)
    /// The provider has not performed an action in time.
    case timedOut(CallAction, CallID)
    /// The system has activated the app's audio session for a call, or deactivated it because the last connected call
    /// is over.
    case audio(isActive: Bool)

    /// The names that the app knows the calls by.
    public enum Method: String, CaseIterable {
        case didUpdatePushCredentials = "pushRegistry(_:didUpdate:for:)"
        case didReceiveIncomingPush = "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"
        case performAnswerCallAction = "provider(_:perform: CXAnswerCallAction)"
        case performEndCallAction = "provider(_:perform: CXEndCallAction)"
        case performStartCallAction = "provider(_:perform: CXStartCallAction)"
        case performSetHeldCallAction = "provider(_:perform: CXSetHeldCallAction)"
        case performSetMutedCallAction = "provider(_:perform: CXSetMutedCallAction)"
        case timedOutPerforming = "provider(_:timedOutPerforming:)"
        case didActivate = "provider(_:didActivate:)"
        case didDeactivate = "provider(_:didDeactivate:)"
    }

    var method: Method {
        switch self {
        case .tokenUpdated: .didUpdatePushCredentials
        case .push: .didReceiveIncomingPush
        case .perform(.answer, _): .performAnswerCallAction
        case .perform(.end, _): .performEndCallAction
        case .perform(.start, _): .performStartCallAction
        case .perform(.hold, _), .perform(.resume, _): .performSetHeldCallAction
        case .perform(.mute, _), .perform(.unmute, _): .performSetMutedCallAction
        case .timedOut: .timedOutPerforming
        case .audio(isActive: true): .didActivate
        case .audio(isActive: false): .didDeactivate
        }
    }

    // The handler of a push is the concern's own: an app that does not call it is not killed for that.
    func handler(of callback: CallbackID) -> CompletionHandler? { nil }

    /// A new token replaces an older one.
    func replaces(_ older: ConcernCall) -> Bool {
        if case .tokenUpdated = self, case .voip(.tokenUpdated) = older { true } else { false }
    }

    /// An action that has timed out is not performed any longer.
    func withdraws(_ older: ConcernCall) -> Bool {
        if case .timedOut(let action, let id) = self { older == .voip(.perform(action, id)) } else { false }
    }
}

extension VoIPNews: AppMessage {
    package func subjectBuiltUpon(for app: AppID) -> RecordSubject? { .voip(of: app) }
    package var isProgress: Bool { false }
}

extension VoIPOutput: AdapterWork {
    package var subjectBuiltUpon: RecordSubject? {
        switch self {
        case .confirmToken(let app): .voip(of: app)
        case .makeToken: nil
        }
    }
    package var subjectInOrder: RecordSubject? { nil }
}
