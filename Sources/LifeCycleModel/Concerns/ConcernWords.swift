/// A report of an adapter or an action of the user, by concern.
public enum ConcernInput: Hashable, Sendable, Codable {
    case fetch(FetchInput)
    case transfer(TransferInput)
    case notification(NotificationInput)
    case location(LocationInput)
    case audio(AudioInput)
    case voip(VoIPInput)
    case socket(SocketInput)
}

extension ConcernInput {
    /// The app that the input asks to run; nil if it does not ask for an app.
    public var appAskedFor: AppID? {
        for vocabulary in Vocabularies.all { if let app = vocabulary.appAskedFor(by: self) { return app } }
        return nil
    }
}

/// A request of an app, by the concern that answers it.
public enum ConcernRequest: Hashable, Sendable, Codable {
    case fetch(FetchRequest)
    case notification(NotificationRequest)
    case location(LocationRequest)
    case audio(AudioRequest)
    case voip(VoIPRequest)
    case socket(SocketRequest)
    indirect case transfer(SessionIdentifier, TransferAct)
}

/// A message to an app that calls no code of the app, by the concern that sends it.
public enum ConcernMessage: Hashable, Sendable, Codable {
    case notification(NotificationNews)
    case location(LocationNews)
    case audio(AudioNews)
    case voip(VoIPNews)
    case socket(SocketNews)
    indirect case transfer(SessionIdentifier, TransferNews)
}

extension ConcernMessage {
    /// The message itself, with the properties that the system reads of every message.
    package var word: any AppMessage { Vocabularies.own(self) { $0.message(self) } }
}

/// A call of an app's code, by the concern that asks for it.
public enum ConcernCall: Hashable, Sendable, Codable {
    case fetch(FetchCall)
    case notification(NotificationCall)
    case transfer(TransferCall)
    case location(LocationCall)
    case audio(AudioCall)
    case voip(VoIPCall)
    case socket(SocketCall)
}

extension ConcernCall {
    /// The names of all delegate methods that concerns call.
    public static let names = Vocabularies.all.flatMap { $0.callNames }

    /// The name of the delegate method that is called, for logs, reports and scenarios.
    public var name: String { word.name }
    /// The delegate method that is called, as Apple writes it.
    public var signature: String { word.signature }
    /// The completion handler that this callback gives the app; nil if it gives none.
    public func handler(of callback: CallbackID) -> CompletionHandler? { word.handler(of: callback) }
    /// Whether this call replaces an older call that the app has not been sent.
    public func replaces(_ older: ConcernCall) -> Bool { word.replaces(older) }
    /// Whether the app may not be called with an older call any longer, if it has not been sent.
    public func withdraws(_ older: ConcernCall) -> Bool { word.withdraws(older) }

    private var word: any DeliveredCall { Vocabularies.own(self) { $0.call(self) } }
}

/// The properties that the system reads of every concern's calls. No property has a default.
protocol DeliveredCall {
    /// The delegate methods that the concern calls: short names, with Apple's signatures as raw values.
    associatedtype Method: RawRepresentable, CaseIterable where Method.RawValue == String

    /// The delegate method that is called.
    var method: Method { get }
    /// The completion handler that the app gets with the call; nil if it gets none.
    func handler(of callback: CallbackID) -> CompletionHandler?
    /// Whether this call replaces an older call that the app has not been sent.
    func replaces(_ older: ConcernCall) -> Bool
    /// Whether the app may not be called with an older call any longer, if it has not been sent.
    func withdraws(_ older: ConcernCall) -> Bool
}

extension DeliveredCall {
    static var names: [String] { Method.allCases.map { "\($0)" } }
    var name: String { "\(method)" }
    var signature: String { method.rawValue }
}

/// Work for an adapter, by the concern that asks for it.
public enum ConcernOutput: Hashable, Sendable, Codable {
    case location(LocationOutput)
    case transfer(TransferOutput)
    case notification(NotificationOutput)
    case voip(VoIPOutput)
    case socket(SocketOutput)
}

extension ConcernOutput {
    /// The work itself, with the properties that the system reads of all work.
    package var word: any AdapterWork { Vocabularies.own(self) { $0.output(self) } }
}

/// A change of a concern's persisted records.
public enum ConcernRecord: Hashable, Sendable, Codable {
    indirect case fetch(FetchChange)
    indirect case location(LocationChange)
    indirect case notification(NotificationRecord)
    indirect case push(PushRecord)
    indirect case transfer(TransferChange)
    indirect case voip(VoIPChange)
    indirect case socket(SocketChange)
}

extension ConcernRecord {
    /// The change itself, with the properties that stores read of every change.
    package var word: any RecordedChange { Vocabularies.own(self) { $0.record(self) } }
}
