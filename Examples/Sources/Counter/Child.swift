import Foundation

/// A child process that outlives its parent: the system must end it.
enum Child {
    static func start() {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sleep")
        child.arguments = ["1000"]
        do {
            try child.run()
            print("child \(child.processIdentifier)")
        } catch {
            print("no child: \(error)")
        }
    }
}
