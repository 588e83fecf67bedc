import Foundation

struct Bookmark: Codable, Equatable {
    var title: String
    var url: String
}

/// Where bookmarks go. The completion is called on the main queue.
protocol BookmarkServer {
    func push(_ bookmarks: [Bookmark], completion: @escaping (_ succeeded: Bool) -> Void)
}
