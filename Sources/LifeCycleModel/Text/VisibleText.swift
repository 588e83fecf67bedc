extension String {
    /// The text with deceptive characters escaped: those that control a terminal, begin a new line or change the text
    /// direction. Text from outside may hold any Unicode.
    package var visible: String {
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isDeceptive {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether the scalar controls a terminal, or makes other text look different from what it is.
    fileprivate var isDeceptive: Bool {
        switch value {
        // Embeddings, overrides and isolates of a direction.
        case 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch properties.generalCategory {
        // `control` also holds U+0080 to U+009F, which some terminals obey.
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
