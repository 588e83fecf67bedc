/// A large value that is rarely changed, kept apart, so that what holds it is small and cheap to move.
///
/// A look at one of its members copies only that member.
@propertyWrapper @dynamicMemberLookup
struct Boxed<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// The value alone. An array is changed in place where nobody else holds it, and costs no check of exclusive access as
    /// a class does.
    private var storage: [Value]

    var wrappedValue: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }

    init(wrappedValue: Value) { storage = [wrappedValue] }

    subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { storage[0][keyPath: member] }

    subscript<Member>(dynamicMember member: WritableKeyPath<Value, Member>) -> Member {
        get { storage[0][keyPath: member] }
        _modify { yield &storage[0][keyPath: member] }
    }

    init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
