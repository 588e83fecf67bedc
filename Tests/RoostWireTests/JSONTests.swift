import FoundationEssentials
import LifeCycleModel
import Testing

@testable import RoostWire

/// Our JSON reader and writer, compared with Foundation's.
@Suite struct JSONTests {
    /// A JSON value as Foundation's decoder reads it.
    private enum Value: Decodable, Equatable {
        case null, bool(Bool), number(Double), string(String), array([Value]), object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([Value].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        init(_ json: JSON) {
            switch json {
            case .null: self = .null
            case .bool(let value): self = .bool(value)
            case .integer(let value): self = .number(Double(value))
            case .number(let value): self = .number(value)
            case .string(let value): self = .string(value)
            case .array(let elements): self = .array(elements.map(Value.init))
            case .object(let members):
                self = .object(Dictionary(members.map { ($0.name, Value($0.value)) }) { first, _ in first })
            }
        }
    }

    private func ours(_ text: [UInt8]) throws(WireError) -> JSON? { try JSONParser.message(text).value }

    private static let documents = [
        #"{"a":[1,0,-0,true,false,null,"x"],"b":{"c":{}},"d":[]}"#,
        #"{"twice":1,"twice":2}"#,
        #"{"é":"\u00e9\n\t\r\b\f\/\\\"","👋":"\ud83d\udc4b","\u0000":""}"#,
        "{\n\t\"a\" :\r [ 1 , { \"b\" : \"c\" } ] }\n",
        #"{"n":[9223372036854775807,-9223372036854775808,9223372036854775808,0.1,12345678901234567890]}"#,
        #"{"e":[1e2,-2.5e+3,1E-2]}"#,
    ]

    /// Damaged valid texts mean the same to both readers, and only a few are accepted by just one. Foundation accepts a
    /// comma before an end, and does not accept `0e2`.
    @Test func garbledTextsAreReadAsFoundationReadsThem() throws {
        let seed = Seeded.start
        print("JSON: ROOST_SEED=\(seed)")
        var random = Seeded(state: seed)
        var both = 0
        var alone = 0
        for round in 0..<20_000 {
            var text = Array(Self.documents[Int(random.next() % UInt64(Self.documents.count))].utf8)
            for _ in 0..<(random.next() % 4) { FuzzTests.garble(&text, &random) }
            guard text.first == UInt8(ascii: "{"), !text.contains(0) else { continue }
            let theirs = try? JSONDecoder().decode(Value.self, from: Data(text))
            switch ((try? ours(text)).flatMap { $0 }.map(Value.init), theirs) {
            case (let ours?, let theirs?):
                both += 1
                #expect(ours == theirs, "ROOST_SEED=\(seed) round \(round): \(String(decoding: text, as: UTF8.self))")
            case (nil, nil): break
            default: alone += 1
            }
        }
        #expect(both > 1000 && alone * 100 < both, "ROOST_SEED=\(seed): \(both) accepted by both, \(alone) by only one")
    }

    @Test func encodedValuesAreDecodedUnchanged() throws {
        let every = String(String.UnicodeScalarView((0..<0x300).compactMap { Unicode.Scalar($0) }))
        let json = JSON.object([
            "array": .array([.null, .bool(true), .bool(false), .integer(.min), .integer(.max), .number(0.5)]),
            "nothing": nil, "object": .object([:]), "string": .string(every + "👩‍👩‍👧\u{10ffff}"),
        ])
        #expect(try ours(json.text) == json)
        let theirs = try JSONDecoder().decode(Value.self, from: Data(json.text))
        #expect(theirs == Value(json))
    }

    @Test(arguments: [
        (#"{"a":1 "b":2}"#, "the message is not a JSON object: a comma or the end of the object is expected at byte 7"),
        (#"{"a" 1}"#, "the message is not a JSON object: a colon is expected at byte 5"),
        (#"{"a":01}"#, "the message is not a JSON object: a number without leading zeros is expected at byte 7"),
        (#"{"a":1.}"#, "the message is not a JSON object: a digit is expected at byte 7"),
        (#"{"a":tru}"#, "the message is not a JSON object: a value is expected at byte 8"),
        (#"{"a":"b"#, "the message is not a JSON object: the rest of a string is expected at byte 7"),
        (#"{}x"#, "the message is not a JSON object: the end of the message is expected at byte 2"),
        (#"{,}"#, "the message is not a JSON object: the name of a member is expected at byte 1"),
    ]) func errorsNameThePlace(_ text: String, _ expected: String) {
        do throws(WireError) {
            _ = try ours(Array(text.utf8))
            Issue.record("accepted")
        } catch {
            #expect(error.description == expected)
        }
    }

    @Test func aNumberMayBeWrittenInAnyWay() throws {
        let number = try JSONParser.message(Array(#"{"a":1.0,"b":1e2,"c":0.5,"d":-1}"#.utf8))
        #expect(try number["a"].whole(Int32.self) == 1)
        #expect(try number["b"].whole(UInt8.self) == 100)
        #expect(throws: WireError.invalidParameter(field: "c", problem: "is not a whole number in range")) {
            try number["c"].whole(Int64.self)
        }
        #expect(throws: WireError.invalidParameter(field: "d", problem: "is not a whole number in range")) {
            try number["d"].whole(UInt8.self)
        }
    }
}
