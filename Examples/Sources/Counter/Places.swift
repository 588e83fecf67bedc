import Foundation

/// Writes a file in each of the app's directories, and prints their paths.
enum Places {
    static func write() {
        let manager = FileManager.default
        let folders: [(String, URL?)] = [
            ("documents", manager.urls(for: .documentDirectory, in: .userDomainMask).first),
            ("caches", manager.urls(for: .cachesDirectory, in: .userDomainMask).first),
            ("support", manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first),
            ("temporary", URL(fileURLWithPath: NSTemporaryDirectory())),
        ]
        for (name, folder) in folders {
            guard let file = folder?.appendingPathComponent("\(name).txt") else {
                print("place \(name) none")
                continue
            }
            do {
                try Data(name.utf8).write(to: file)
                print("place \(name) \(file.path)")
            } catch {
                print("place \(name) failed at \(file.path): \(error)")
            }
        }
        UserDefaults.standard.set("kept", forKey: "place")
        print("place home \(NSHomeDirectory())")
        print("place defaults \(UserDefaults.standard.synchronize() ? "written" : "not written")")
    }
}
