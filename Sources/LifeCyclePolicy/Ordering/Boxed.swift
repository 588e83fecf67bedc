/// A large value that is rarely changed, kept apart, so that what holds it is small and cheap to move.
@propertyWrapper
struct Boxed<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// The value alone. An array is changed in place where nobody else holds it, and costs no check of exclusive access as
    /// a class does.
    private var storage: [Value]

    var wrappedValue: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }

    init(wrappedValue: Value) { storage = [wrappedValue] }

    init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
