extension Character {
    /// How many columns of a terminal it takes: two for East Asian wide characters and emoji, none for what only
    /// joins or marks others (Unicode's UAX #11).
    var displayWidth: Int {
        var width = 0
        for scalar in unicodeScalars {
            // Variation selector 16 asks for the picture, which is wide.
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
        // The vowels and final consonants of Hangul stand below the consonant before them.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// The blocks whose characters are wide or full-width.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}

extension StringProtocol {
    /// How many columns of a terminal it takes.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// As much of its beginning as fits into so many columns.
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

    /// It, with an ellipsis at its end where it does not fit into so many columns.
    func shortened(to columns: Int) -> String {
        displayWidth <= columns ? String(self) : columns < 1 ? "" : fitting(columns - 1) + "…"
    }
}
