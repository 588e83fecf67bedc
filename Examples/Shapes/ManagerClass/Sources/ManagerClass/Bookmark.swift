import Foundation

struct Bookmark: Codable, Equatable {
    var title: String
    var url: String
}

/// A server for bookmarks. The server calls the completion handler on the main queue.
protocol BookmarkServer {
    func push(_ bookmarks: [Bookmark], completion: @escaping (_ succeeded: Bool) -> Void)
}
