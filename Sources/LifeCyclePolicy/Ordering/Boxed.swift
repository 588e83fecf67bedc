/// A large value that is rarely changed, kept apart, so that what holds it is small and cheap to move.
@propertyWrapper
struct Boxed<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// Sendable: the value is changed only where nobody else has a reference to the storage.
    private final class Storage: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    var wrappedValue: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

    static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.wrappedValue == right.wrappedValue
    }
    func hash(into hasher: inout Hasher) { wrappedValue.hash(into: &hasher) }
}
