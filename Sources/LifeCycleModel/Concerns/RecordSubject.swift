/// The subject of a record, by which a store finds the record.
///
/// While a record of a subject is not on disk, the effects that build on the subject wait.
public struct RecordSubject: Hashable, Comparable, Sendable {
    /// The app that the record is about.
    public let app: AppID
    /// The kind of record, in one word; empty for the app itself.
    public let kind: String
    /// The place among the records of its kind; 0 for all of them.
    public let group: Int32
    /// The place in its group; 0 for the whole group.
    public let number: Int64

    /// A record that an app has at most once, or all records of its kind and group.
    public init(_ kind: String, of app: AppID, group: Int32 = 0, number: Int64 = 0) {
        (self.app, self.kind, self.group, self.number) = (app, kind, group, number)
    }

    /// The app with all its records: every other subject of this app belongs to it.
    public static func app(_ app: AppID) -> RecordSubject { RecordSubject("", of: app) }

    /// Whether the other subject is this one, or belongs to it.
    public func includes(_ other: RecordSubject) -> Bool {
        guard app == other.app else { return false }
        if kind.isEmpty { return true }
        return kind == other.kind && (group == 0 || group == other.group && (number == 0 || number == other.number))
    }

    /// In the order of the apps, the kinds, the groups and the numbers.
    public static func < (left: RecordSubject, right: RecordSubject) -> Bool {
        if left.app != right.app { return left.app < right.app }
        if left.kind != right.kind { return left.kind < right.kind }
        return (left.group, left.number) < (right.group, right.number)
    }
}

/// A change of a concern's persisted records.
package protocol RecordedChange: Hashable, Sendable, Codable {
    /// The subject that is persisted again, or removed together with its records.
    var subject: RecordSubject { get }
    /// Whether the subject is removed.
    var isRemoval: Bool { get }
    /// The subjects whose effects wait until the change is on disk.
    var subjectsBuiltUpon: [RecordSubject] { get }
}

/// Work of a concern for its adapter.
package protocol AdapterWork: Hashable, Sendable, Codable {
    /// The subject whose records must be on disk first; nil if the work does not wait for the disk.
    var subjectBuiltUpon: RecordSubject? { get }
    /// The subject whose waiting work this work must follow; nil if the order does not matter.
    var subjectInOrder: RecordSubject? { get }
}

/// A message of a concern, which calls no code of the app.
package protocol AppMessage: Hashable, Sendable, Codable {
    /// The subject whose records must be on disk before this app receives the message; nil if the message does not
    /// wait.
    func subjectBuiltUpon(for app: AppID) -> RecordSubject?
    /// Whether the next message of its kind makes this message obsolete. An obsolete message is dropped instead of
    /// waiting.
    var isProgress: Bool { get }
}
