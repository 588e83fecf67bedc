import Foundation

/// A downloaded file on its way to the delegate.
///
/// An app that moves the file away and dies before its delegate has returned is told again when it is launched anew: the file
/// has to be there again. So it has a second name while the delegate has it, which goes when the delegate has returned.
struct KeptFile: Sendable {
    let location: URL
    private var second: URL { location.appendingPathExtension("kept") }

    /// Sees to it that the file is there, as it came; false where it is lost.
    func prepare() -> Bool {
        let files = FileManager.default
        if files.fileExists(atPath: second.path) {
            // It was with the delegate of a launch that has ended since.
            if !files.fileExists(atPath: location.path) { _ = link(second.path, location.path) }
        } else {
            // Where this is not possible, it is as it is on Apple's platforms.
            _ = link(location.path, second.path)
        }
        return files.fileExists(atPath: location.path)
    }

    /// The delegate has returned: what it has not taken goes.
    func remove() {
        unlink(location.path)
        unlink(second.path)
    }
}
