/// The persisted record of an app that has asked for VoIP pushes, or reported a call.
public struct VoIPRecord: Hashable, Sendable, Codable {
    /// The app.
    public let app: AppID
    /// The token of its registry; nil before the first one, and after the app has unregistered.
    public var token: DeviceToken?
    /// The number of misses since the app's installation or the device's start. A miss is a launch that was
    /// killed, or exited, without the call for a push, and a push that found no registry in time.
    public var misses: Int32 = 0
    /// The number of the last push since the installation.
    public var lastPush: Int64 = 0
    /// The launch that has the calls; nil if there is no call.
    public var launch: LaunchID?
    /// The calls, in the order in which they were reported.
    public var calls: [PhoneCall] = []

    /// The record of an app without a token.
    public init(app: AppID) { self.app = app }
}

/// A change of the records of VoIP apps.
public enum VoIPChange: Hashable, Sendable, Codable {
    case client(VoIPRecord)
}

extension VoIPChange: RecordedChange {
    package var subject: RecordSubject {
        switch self {
        case .client(let record): .voip(of: record.app)
        }
    }
    package var isRemoval: Bool { false }
    package var subjectsBuiltUpon: [RecordSubject] { [subject] }
}

extension RecordSubject {
    package static func voip(of app: AppID) -> RecordSubject { RecordSubject("voip", of: app) }
}

extension [ConcernRecord] {
    /// The apps that have asked for VoIP pushes, or reported a call.
    public var voip: [VoIPRecord] { compactMap { if case .voip(.client(let record)) = $0 { record } else { nil } } }
}
