import Foundation

struct Parcel: Codable, Hashable {
    enum Priority: Int, Codable { case low, high }

    let id: String
    var isSent = false
    var priority = Priority.low
    var due: Date?
}
