/// Something in a file that prevents its compilation on Linux: the place for a seam.
public struct Obstacle: Hashable, Sendable {
    /// Why a name or a condition prevents the compilation.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A condition that leaves nothing of the file on Linux, or that hides a needed name.
        case condition
        /// An import of a module that does not exist.
        case module
        /// A use of the Objective-C runtime.
        case objectiveC
        /// A name of UIKit that RoostKit lacks.
        case uikit
        /// A name of Foundation or of Apple's C libraries that does not exist on Linux or needs another import.
        case foundation
        /// A name that no available module declares.
        case unknown
        /// A name that is declared in a file that has an obstacle itself.
        case leftOut
        /// A name that two files declare.
        case twice
    }

    /// The category under which `roost scan` reports the obstacle.
    public let kind: Kind
    /// The line of its first occurrence, from 1.
    public let line: Int
    /// The name, as in the source.
    public let name: String
    /// A sentence that says what to do about the obstacle.
    public let advice: String

    init(_ kind: Kind, _ name: String, line: Int, _ advice: String) {
        self.kind = kind
        self.line = line
        self.name = name
        self.advice = advice
    }
}
