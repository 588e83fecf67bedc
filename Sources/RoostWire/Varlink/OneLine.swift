extension StringProtocol {
    /// The text on one line: `\\` for a backslash, `\n` for a line feed, `\t` for a tab.
    package var onOneLine: String {
        guard utf8.contains(where: { $0 == 92 || $0 == 10 || $0 == 9 }) else { return String(self) }
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 92: bytes += [92, 92]
            case 10: bytes += [92, UInt8(ascii: "n")]
            case 9: bytes += [92, UInt8(ascii: "t")]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The original text of a line from `onOneLine`.
    package var fromOneLine: String {
        guard utf8.contains(92) else { return String(self) }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in utf8 {
            if isEscaped {
                bytes.append(byte == UInt8(ascii: "n") ? 10 : byte == UInt8(ascii: "t") ? 9 : byte)
                isEscaped = false
            } else if byte == 92 {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
