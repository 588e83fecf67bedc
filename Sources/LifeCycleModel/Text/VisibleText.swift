extension String {
    /// The text with what would upset a terminal, begin a line of its own or turn the direction of the rest made
    /// visible: what others have said may hold any Unicode.
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
    /// Whether a terminal does something at it, or shows it as if other text stood there.
    fileprivate var isDeceptive: Bool {
        switch value {
        // Embeddings, overrides and isolates of a direction.
        case 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch properties.generalCategory {
        // The first also holds U+0080 to U+009F, which some terminals obey.
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
