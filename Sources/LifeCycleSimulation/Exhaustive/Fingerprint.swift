import LifeCycleModel

/// A digest of values by their encoding, including private fields. The digest ignores differences that do not affect
/// the rules:
/// - Readings of the clock are relative to the current time.
/// - Launches are relative to the app's newest launch.
/// - Places in the switcher, and remote notifications, are replaced by their order.
/// - Of a callback's id only the ids below 2 are distinguished.
/// - The numbers of attempts to freeze are left out.
/// - Constants (policy, manifests) and a model's notes about its last event are left out.
///
/// The digest has 64 bits: among a hundred million different worlds, the chance that two have the same digest is 1 in
/// 3,700.
final class Fingerprint: Encoder {
    /// Readings of the clock are above this value, durations are below it.
    static let leastReading = Nanoseconds.seconds(1_000_000)

    private(set) var value: UInt64 = 0x2545_F491_4F6C_DD1D
    /// Whether nothing is left out, and readings, launches and places are taken unchanged.
    private let isExact: Bool
    private let leftOut: Keys
    /// The bits of types with special treatment.
    private let specialBits: UInt64
    private let now: Nanoseconds
    private let lastLaunches: [(app: AppID, number: Int32)]
    /// Sorted.
    private let places: [Int64]
    /// The device's remote notifications. Only their order counts.
    private let pushes: [PushID]
    /// Whether tasks, scene sessions and notifications are distinguished by their numbers, which only grow. False if
    /// there is at most one of each.
    private let tellsNumbers: Bool
    /// How long wakes by silent pushes count. Older wakes are left out.
    private let silentPushPeriod: Nanoseconds

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(
        now: Nanoseconds, lastLaunches: [(app: AppID, number: Int32)], places: [Int64], pushes: [PushID],
        tellsNumbers: Bool = true, silentPushPeriod: Nanoseconds = .distantFuture
    ) {
        self.tellsNumbers = tellsNumbers
        self.silentPushPeriod = silentPushPeriod
        self.now = now
        self.lastLaunches = lastLaunches
        self.places = places
        self.pushes = pushes
        isExact = false
        leftOut = tellsNumbers ? .constants : .numbers
        specialBits = Self.specialBits
    }

    /// A digest of everything, which continues from an earlier digest.
    init(exactlyAfter value: UInt64) {
        self.value = value
        (now, lastLaunches, places, pushes, isExact, tellsNumbers) = (.zero, [], [], [], true, true)
        silentPushPeriod = .distantFuture
        leftOut = .none
        specialBits = 0
    }

    /// Adds a value. No value that is encoded here can throw; a failure would be mixed in as a fixed word.
    func add(_ encodable: some Encodable) {
        do { try encode(encodable) } catch { mix(UInt64.max) }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        mix(1)
        return KeyedEncodingContainer(Keyed<Key>(to: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        mix(2)
        return Plain(to: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Plain(to: self) }

    // MARK: Mixing

    fileprivate func mix(_ word: UInt64) {
        var mixed = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 29
        value = mixed &* 0xBF58_476D_1CE4_E5B9
    }

    fileprivate func mix(_ text: String) { mix(Self.word(of: text)) }

    /// A number for a text. Keys are compared by their numbers: comparing texts took a quarter of the whole search.
    private static func word(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            var word: UInt64 = 0
            for byte in bytes { word = word &* 0x0000_0100_0000_01B3 ^ UInt64(byte) }
            return word
        }
    }

    /// Keys that are left out.
    private struct Keys {
        private let words: [UInt64]
        /// A bit for each word. Most other keys have none of these bits.
        private let bits: UInt64

        init(_ keys: [String]) {
            words = keys.map(Fingerprint.word)
            bits = words.reduce(0) { $0 | Self.bit(of: $1) }
        }

        private static func bit(of word: UInt64) -> UInt64 { 1 << (word >> 32 & 63) }

        func contains(_ word: UInt64) -> Bool { bits & Self.bit(of: word) != 0 && words.contains(word) }

        static let constants = Keys(constantKeys)
        /// Also left out if numbers are not distinguished: the newest number of scene sessions, the count of
        /// notification changes, and the notification that launched an app. No change of these values is visible to the
        /// app.
        static let numbers = Keys(constantKeys + ["last", "notificationActs", "opening", "isStale"])
        static let none = Keys([])

        private static let constantKeys = [
            "policy", "manifest", "done", "said", "pushDecisions", "outputs", "messages", "woken", "obstacles",
            "tapObstacles", "lastLaunch", "launchCount", "lastSwitcherPlace", "attempt", "freezeCount", "lastPush",
        ]
    }

    /// False if the key is left out.
    fileprivate func mix(key: String) -> Bool {
        let word = Self.word(of: key)
        if leftOut.contains(word) { return false }
        mix(word)
        return true
    }

    fileprivate func mix(place: Int64) {
        mix(isExact ? UInt64(bitPattern: place) : UInt64(places.firstIndex(of: place) ?? places.count))
    }

    /// The types with special treatment. Most values have none of these types, and skip the casts.
    private static let special: [ObjectIdentifier] = [
        ObjectIdentifier(Nanoseconds.self), ObjectIdentifier(LaunchID.self), ObjectIdentifier(CallbackID.self),
        ObjectIdentifier(TaskID.self), ObjectIdentifier(SceneSessionID.self), ObjectIdentifier(LaunchReason.self),
        ObjectIdentifier(SceneSessionRange.self), ObjectIdentifier(PushRecord.self),
        ObjectIdentifier(NotificationID.self), ObjectIdentifier(LocalNotification.self),
        ObjectIdentifier(ScheduledRecord.self), ObjectIdentifier(DeliveredRecord.self),
        ObjectIdentifier(NotificationClientRecord.self), ObjectIdentifier(PushID.self),
    ]
    /// A bit for each of them. Most other types have none of these bits.
    private static let specialBits = special.reduce(0) { $0 | bit(of: $1) }

    private static func bit(of type: ObjectIdentifier) -> UInt64 { 1 << (UInt(bitPattern: type) >> 4 & 63) }

    private func isSpecial<Value>(_ type: Value.Type) -> Bool {
        let type = ObjectIdentifier(type)
        return specialBits & Self.bit(of: type) != 0 && Self.special.contains(type)
    }

    fileprivate func encode<Value: Encodable>(_ encodable: Value) throws {
        switch encodable {
        case _ where !isSpecial(Value.self): try encodable.encode(to: self)
        case let time as Nanoseconds:
            mix(UInt64(bitPattern: (time < Self.leastReading ? time : time - now).rawValue))
        case let launch as LaunchID:
            let last = lastLaunches.first { $0.app == launch.app }?.number ?? 0
            mix(UInt64(bitPattern: Int64(launch.app.rawValue) << 32 | Int64(last - launch.number)))
        case let id as CallbackID: mix(UInt64(bitPattern: Int64(min(id.rawValue, 2))))
        case let push as PushID: mix(UInt64(pushes.firstIndex(of: push) ?? pushes.count))
        case _ where tellsNumbers: try encodable.encode(to: self)
        case is TaskID, is SceneSessionID: mix(6)
        // Once the launch is over, it does not matter which event launched an app into the background.
        case let reason as LaunchReason: mix(reason == .user ? 12 : 13)
        case let range as SceneSessionRange: mix(range.isEmpty ? 7 : 8)
        case let record as PushRecord:
            var recent = record
            recent.wakes.removeAll { $0 + silentPushPeriod <= now }
            try recent.encode(to: self)
        default: if try !encodeNotification(encodable) { try encodable.encode(to: self) }
        }
    }

    /// Encodes an app's only notification; false for any other value. The fire date does not matter once the
    /// notification is queued or has fired.
    private func encodeNotification<Value: Encodable>(_ encodable: Value) throws -> Bool {
        switch encodable {
        case is NotificationID: mix(9)
        case let notification as LocalNotification:
            var dateless = notification
            dateless.fireDate = nil
            try dateless.encode(to: self)
        case let record as ScheduledRecord:
            try encode(record.notification)
            mix(record.start == nil ? 10 : 11)
        case let record as DeliveredRecord:
            try encode(record.notification)
            try record.types.encode(to: self)
            try record.stage.encode(to: self)
            try record.push.map { try encode($0) }
        case var record as NotificationClientRecord:
            (record.lastNumber, record.launch, record.received) = (0, 0, 0)
            try record.encode(to: self)
        default: return false
        }
        return true
    }
}

/// A container with named fields.
private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let fingerprint: Fingerprint
    let codingPath: [any CodingKey] = []

    init(to fingerprint: Fingerprint) { self.fingerprint = fingerprint }

    private func encode(_ word: UInt64, _ key: Key) {
        if fingerprint.mix(key: key.stringValue) { fingerprint.mix(word) }
    }

    mutating func encodeNil(forKey key: Key) { encode(3, key) }
    mutating func encode(_ value: Bool, forKey key: Key) { encode(value ? 5 : 4, key) }
    mutating func encode(_ value: String, forKey key: Key) {
        if fingerprint.mix(key: key.stringValue) { fingerprint.mix(value) }
    }
    mutating func encode(_ value: Double, forKey key: Key) { encode(value.bitPattern, key) }
    mutating func encode(_ value: Float, forKey key: Key) { encode(UInt64(value.bitPattern), key) }
    mutating func encode(_ value: Int, forKey key: Key) { encode(UInt64(bitPattern: Int64(value)), key) }
    mutating func encode(_ value: Int8, forKey key: Key) { encode(UInt64(bitPattern: Int64(value)), key) }
    mutating func encode(_ value: Int16, forKey key: Key) { encode(UInt64(bitPattern: Int64(value)), key) }
    mutating func encode(_ value: Int32, forKey key: Key) { encode(UInt64(bitPattern: Int64(value)), key) }
    mutating func encode(_ value: Int64, forKey key: Key) {
        guard fingerprint.mix(key: key.stringValue) else { return }
        if key.stringValue == "switcherPlace" {
            fingerprint.mix(place: value)
        } else {
            fingerprint.mix(UInt64(bitPattern: value))
        }
    }
    mutating func encode(_ value: UInt, forKey key: Key) { encode(UInt64(value), key) }
    mutating func encode(_ value: UInt8, forKey key: Key) { encode(UInt64(value), key) }
    mutating func encode(_ value: UInt16, forKey key: Key) { encode(UInt64(value), key) }
    mutating func encode(_ value: UInt32, forKey key: Key) { encode(UInt64(value), key) }
    mutating func encode(_ value: UInt64, forKey key: Key) {
        if fingerprint.mix(key: key.stringValue) { fingerprint.mix(value) }
    }
    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        if fingerprint.mix(key: key.stringValue) { try fingerprint.encode(value) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        _ = fingerprint.mix(key: key.stringValue)
        return fingerprint.container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        _ = fingerprint.mix(key: key.stringValue)
        return fingerprint.unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { fingerprint }
    mutating func superEncoder(forKey key: Key) -> any Encoder { fingerprint }
}

/// A container of values in order, or of a single value.
private struct Plain: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    private let fingerprint: Fingerprint
    let codingPath: [any CodingKey] = []
    private(set) var count = 0

    init(to fingerprint: Fingerprint) { self.fingerprint = fingerprint }

    mutating func encodeNil() { fingerprint.mix(3) }
    mutating func encode(_ value: Bool) { fingerprint.mix(value ? 5 : 4) }
    mutating func encode(_ value: String) { fingerprint.mix(value) }
    mutating func encode(_ value: Double) { fingerprint.mix(value.bitPattern) }
    mutating func encode(_ value: Float) { fingerprint.mix(UInt64(value.bitPattern)) }
    mutating func encode(_ value: Int) { fingerprint.mix(UInt64(bitPattern: Int64(value))) }
    mutating func encode(_ value: Int8) { fingerprint.mix(UInt64(bitPattern: Int64(value))) }
    mutating func encode(_ value: Int16) { fingerprint.mix(UInt64(bitPattern: Int64(value))) }
    mutating func encode(_ value: Int32) { fingerprint.mix(UInt64(bitPattern: Int64(value))) }
    mutating func encode(_ value: Int64) { fingerprint.mix(UInt64(bitPattern: value)) }
    mutating func encode(_ value: UInt) { fingerprint.mix(UInt64(value)) }
    mutating func encode(_ value: UInt8) { fingerprint.mix(UInt64(value)) }
    mutating func encode(_ value: UInt16) { fingerprint.mix(UInt64(value)) }
    mutating func encode(_ value: UInt32) { fingerprint.mix(UInt64(value)) }
    mutating func encode(_ value: UInt64) { fingerprint.mix(value) }
    mutating func encode(_ value: some Encodable) throws { try fingerprint.encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        fingerprint.container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { fingerprint.unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { fingerprint }
}
