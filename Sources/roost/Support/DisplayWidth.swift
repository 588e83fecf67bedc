extension Character {
    /// The number of terminal columns: two for East Asian wide characters and emoji, zero for joiners and marks
    /// (Unicode's UAX #11).
    var displayWidth: Int {
        var width = 0
        for scalar in unicodeScalars {
            // Variation selector 16 requests the emoji, which is wide.
            if scalar.value == 0xFE0F, unicodeScalars.first?.properties.isEmoji == true { return 2 }
            width = max(width, scalar.displayWidth)
        }
        return width
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // Hangul vowels and final consonants join the consonant before them.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// The blocks of wide and full-width characters.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}

extension StringProtocol {
    /// The number of terminal columns.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The longest prefix that fits into this many columns.
    func fitting(_ columns: Int) -> String {
        var result = ""
        var width = 0
        for character in self {
            width += character.displayWidth
            guard width <= columns else { break }
            result.append(character)
        }
        return result
    }

    /// The text; with an ellipsis at the end if it does not fit into this many columns.
    func shortened(to columns: Int) -> String {
        displayWidth <= columns ? String(self) : columns < 1 ? "" : fitting(columns - 1) + "…"
    }
}
