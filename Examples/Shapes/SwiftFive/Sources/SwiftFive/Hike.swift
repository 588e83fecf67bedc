import UIKit

class Hike {
    var places: [String] = []
    static let didChange = Notification.Name("HikeDidChange")

    private var file: String { NSHomeDirectory() + "/Documents/hike.plist" }

    func note(place: String) {
        places.append(place)
        NotificationCenter.default.post(name: Hike.didChange, object: self)
    }

    func prepare() -> Int {
        return places.count
    }

    func save() {
        try? FileManager.default.createDirectory(
            atPath: NSHomeDirectory() + "/Documents", withIntermediateDirectories: true)
        let list = try? PropertyListEncoder().encode(places)
        print(FileManager.default.createFile(atPath: file, contents: list) ? "saved \(places.count)" : "not saved")
    }

    func restore() {
        guard let list = FileManager.default.contents(atPath: file) else { return }
        places = (try? PropertyListDecoder().decode([String].self, from: list)) ?? []
    }
}
