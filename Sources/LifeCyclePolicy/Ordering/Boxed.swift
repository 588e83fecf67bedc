/// A large value that rarely changes, stored out of line, so that its owner is small and cheap to move.
///
/// Reading one of its members copies only that member.
@propertyWrapper @dynamicMemberLookup
struct Boxed<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// An array with the value alone. The array is changed in place if it has no other owner. Unlike a class, it needs
    /// no check of exclusive access.
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
