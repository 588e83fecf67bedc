/// Input from a terminal, assembled from bytes.
enum Typed: Hashable {
    case character(Character)
    case enter
    case backspace
    /// The Escape key alone.
    case escape
    /// Ctrl-D.
    case end

    /// Reads the bytes of one read. Escape sequences, such as those of arrow keys, are ignored. `rest` holds the bytes
    /// of an incomplete character.
    static func read(_ bytes: [UInt8], rest: inout [UInt8]) -> [Typed] {
        if bytes == [0x1B] { return [.escape] }
        var typed: [Typed] = []
        var pending = (rest + bytes)[...]
        rest = []
        while let byte = pending.first {
            switch byte {
            case 0x1B: skipSequence(&pending)
            case 0x0A, 0x0D: typed.append(.enter)
            case 0x08, 0x7F: typed.append(.backspace)
            case 0x04: typed.append(.end)
            case 0..<0x20: break
            case 0xC0...0xF7:
                let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                guard pending.count >= length else {
                    rest = Array(pending)
                    return typed
                }
                let text = String(decoding: pending.prefix(length), as: UTF8.self)
                if let character = text.first, text.count == 1 { typed.append(.character(character)) }
                pending = pending.dropFirst(length - 1)
            default: typed.append(.character(Character(Unicode.Scalar(byte))))
            }
            pending = pending.dropFirst()
        }
        return typed
    }

    /// Skips `ESC [ 1 ; 5 A` or `ESC O P`, up to the byte before the last, which the caller removes.
    private static func skipSequence(_ bytes: inout ArraySlice<UInt8>) {
        guard bytes.count > 1 else { return }
        bytes = bytes.dropFirst()
        guard bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "O"), bytes.count > 1 else { return }
        repeat { bytes = bytes.dropFirst() } while bytes.count > 1 && !(0x40...0x7E).contains(bytes.first ?? 0x40)
    }
}
