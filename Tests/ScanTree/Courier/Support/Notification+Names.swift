import Foundation

extension Notification.Name {
    static let parcelsDidSync = Notification.Name("parcelsDidSync")
}
