import Foundation
import Testing

@testable import RoostWire

/// Lines of the journal and values of the store: Foundation's decoder reads what was written.
@Suite struct LineEncoderTests {
    struct Empty: Codable, Equatable {}
    indirect enum Tree: Codable, Equatable {
        case leaf
        case number(Int64)
        case pair(Tree, right: Tree)
        case list([Tree])
    }
    struct Everything: Codable, Equatable {
        var text = "\"\\\n\r\t\u{1}\u{1f} é 👩‍👩‍👧\u{2028}"
        var yes = true
        var no = false
        var numbers: [Int64] = [0, -1, 9, 10, -10, .min, .max]
        var small: [Int8] = [.min, .max]
        var large: UInt64 = .max
        var half = 0.5
        var missing: String?
        var maybe: [Int?] = [1, nil, 3]
        var empty = Empty()
        var none: [Empty] = []
        var lists = [[1, 2], [], [3]]
        var byName = ["a": Empty(), "b\"": Empty()]
        var byNumber = [7: Empty()]
        var tree = Tree.pair(.list([.leaf, .pair(.number(1), right: .list([]))]), right: .number(-2))
    }

    @Test func encodedValuesAreDecodedUnchanged() throws {
        let encoder = LineEncoder()
        for value in [Everything(), Everything(text: "", yes: false, missing: "there")] {
            let line = try encoder.encode(value)
            #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
            #expect(try JSONDecoder().decode(Everything.self, from: Data(line)) == value)
        }
    }

    @Test func encodesACompactLine() throws {
        let tree = Tree.pair(.leaf, right: .list([.number(-7), .leaf]))
        #expect(
            String(decoding: try LineEncoder().encode(tree), as: UTF8.self)
                == #"{"pair":{"_0":{"leaf":{}},"right":{"list":{"_0":[{"number":{"_0":-7}},{"leaf":{}}]}}}}"# + "\n")
    }

    /// JSON has no such number. What was written before remains, and the encoder can be used again.
    @Test(arguments: [Double.nan, .infinity, -.infinity]) func rejectsNumbersThatAreNotFinite(_ number: Double) throws {
        let encoder = LineEncoder()
        var text = Array("before\n".utf8)
        #expect(throws: EncodingError.self) { try encoder.append([["a": 1], ["a": number]], to: &text) }
        #expect(text == Array("before\n".utf8))
        try encoder.append(["a": 1.5], to: &text)
        #expect(String(decoding: text, as: UTF8.self) == "before\n{\"a\":1.5}\n")
        #expect(throws: EncodingError.self) { try encoder.text(of: Float(number)) }
        #expect(try encoder.text(of: [1]) == "[1]")
    }
}
