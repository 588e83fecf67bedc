/// Something in a file that keeps it from being compiled here: the place for a seam.
public struct Obstacle: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A condition that leaves nothing of the file on Linux, or something out that is asked for.
        case condition
        /// An import of what is not there.
        case module
        /// What takes the Objective-C runtime.
        case objectiveC
        /// A name of UIKit's that RoostKit has not.
        case uikit
        /// A name of Foundation's, or of Apple's C libraries, that is not there on Linux, or takes another import.
        case foundation
        /// A name that no module here declares.
        case unknown
        /// A name that is declared in a file that has an obstacle of its own.
        case leftOut
        /// A name that two files declare.
        case twice
    }

    /// What kind of thing it is.
    public let kind: Kind
    /// Where it is met first, from 1.
    public let line: Int
    /// The name, as it stands there.
    public let name: String
    /// What to do about it.
    public let advice: String

    init(_ kind: Kind, _ name: String, line: Int, _ advice: String) {
        self.kind = kind
        self.line = line
        self.name = name
        self.advice = advice
    }
}
