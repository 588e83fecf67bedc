import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// VoIP pushes, and the user's actions on the calls that apps report.
extension VirtualDevice {
    /// A provider sends a VoIP push to an app. The payload is the text of a JSON object.
    ///
    /// - Throws: `PayloadFault` if Apple's service would reject the payload.
    public func pushVoIP(_ payload: String, to app: VirtualApp) async throws {
        let payload = try VoIPPush.payload(Array(payload.utf8))
        await act("a VoIP push arrives", .concern(.voip(.pushArrived(app.id, payload: payload))), of: app)
    }

    /// The user answers the first call that rings. Refused while another call is on.
    public func answerCall() async { await act("you answer the call", .concern(.voip(.chosen(.answer)))) }

    /// The user declines the first call that rings.
    public func declineCall() async { await act("you decline the call", .concern(.voip(.chosen(.decline)))) }

    /// The user ends the call that is on, or a call on hold. `endCall()` ends a call that no app has reported.
    public func endPhoneCall() async { await act("you end the call", .concern(.voip(.chosen(.end)))) }

    /// The user puts the connected call on hold.
    public func holdCall() async { await act("you put the call on hold", .concern(.voip(.chosen(.hold)))) }

    /// The user takes the first call that is on hold. Refused while another call is on.
    public func resumeCall() async { await act("you resume the call", .concern(.voip(.chosen(.resume)))) }

    /// The user mutes the call that is on.
    public func muteCall() async { await act("you mute the call", .concern(.voip(.chosen(.mute)))) }

    /// The user ends the muting of the call that is on.
    public func unmuteCall() async { await act("you unmute the call", .concern(.voip(.chosen(.unmute)))) }
}

extension CallbackName {
    /// A push registry has a token.
    public static let didUpdatePushCredentials = CallbackName(VoIPCall.Method.didUpdatePushCredentials)
    /// A VoIP push has arrived.
    public static let didReceiveIncomingPush = CallbackName(VoIPCall.Method.didReceiveIncomingPush)
    /// A call is answered, by the user or by the app.
    public static let performAnswerCallAction = CallbackName(VoIPCall.Method.performAnswerCallAction)
    /// A call is declined or ended, by the user or by the app.
    public static let performEndCallAction = CallbackName(VoIPCall.Method.performEndCallAction)
    /// The app begins a call.
    public static let performStartCallAction = CallbackName(VoIPCall.Method.performStartCallAction)
    /// A call is put on hold, or resumed.
    public static let performSetHeldCallAction = CallbackName(VoIPCall.Method.performSetHeldCallAction)
    /// A call is muted, or no longer.
    public static let performSetMutedCallAction = CallbackName(VoIPCall.Method.performSetMutedCallAction)
    /// The time for an action on a call is over.
    public static let timedOutPerforming = CallbackName(VoIPCall.Method.timedOutPerforming)
    /// The system has activated the audio session for a call.
    public static let didActivate = CallbackName(VoIPCall.Method.didActivate)
    /// The system has deactivated the audio session: the last call is over, or on hold.
    public static let didDeactivate = CallbackName(VoIPCall.Method.didDeactivate)
}
