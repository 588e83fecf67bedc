import FoundationEssentials
import LifeCycleModel
import RoostWire
import Testing

/// SplitMix64: the same seed gives the same bytes on every machine.
struct Seeded: RandomNumberGenerator {
    /// The seed that `ROOST_SEED` names, otherwise a random seed.
    static var start: UInt64 {
        ProcessInfo.processInfo.environment["ROOST_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max)
    }

    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

/// Damaged valid messages: none may trap, and an accepted message has a meaning.
@Suite struct FuzzTests {
    @Test func garbledMessagesNeverTrap() throws {
        let seed = Seeded.start
        print("fuzz: ROOST_SEED=\(seed)")
        var random = Seeded(state: seed)
        let good =
            AppWireTests.calls.map { $0.encoded() } + AppWireTests.messages.map { $0.encoded() }
            + TransferWireTests.acts.compactMap { act in
                TransferWireTests.session.map { AppCall.request(.concern(.transfer($0, act))).encoded() }
            }
            + TransferWireTests.news.compactMap { news in
                TransferWireTests.session.map { SystemMessage.concern(.transfer($0, news)).encoded() }
            }
            + [
                ControlCall.list, .install(path: "/a", replacing: true), .interrupt(.call), .accept(nil),
                .memory(.critical), .set(name: "power", value: "battery", app: nil),
            ].map { $0.encoded() }
        for round in 0..<20_000 {
            var bytes = good[Int(random.next() % UInt64(good.count))]
            for _ in 0...(random.next() % 4) { Self.garble(&bytes, &random) }
            var framer = MessageFramer(limit: 4096)
            var messages: [[UInt8]] = []
            try? framer.feed(bytes[...], into: &messages)
            for message in messages {
                guard let call = try? VarlinkCall(message) else {
                    _ = (try? VarlinkReply(message)).flatMap { try? SystemMessage($0) }
                    continue
                }
                _ = try? ControlCall(call)
                if let app = try? AppCall(call) {
                    #expect(
                        try AppCall(VarlinkCall(app.encoded().dropLast())) == app, "ROOST_SEED=\(seed) round \(round)")
                }
            }
        }
    }

    static func garble(_ bytes: inout [UInt8], _ random: inout Seeded) {
        guard !bytes.isEmpty else { return }
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 6 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        default: bytes[place] = Array("{}[]\",:0-\\\0".utf8)[Int(random.next() % 11)]
        }
    }

    /// However a stream is divided, the same messages come out.
    @Test func piecesMakeNoDifference() throws {
        let seed = Seeded.start
        print("fuzz: ROOST_SEED=\(seed)")
        var random = Seeded(state: seed)
        let stream = AppWireTests.calls.flatMap { $0.encoded() }
        for _ in 0..<200 {
            var framer = MessageFramer()
            var messages: [[UInt8]] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int(random.next() % 97) + 1)
                try framer.feed(piece, into: &messages)
                rest = rest.dropFirst(piece.count)
            }
            #expect(messages == AppWireTests.calls.map { Array($0.encoded().dropLast()) }, "ROOST_SEED=\(seed)")
        }
    }
}
