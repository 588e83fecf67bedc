struct Photo: Hashable, Sendable {
    let name: String
    let megabytes: Int
}

protocol PhotoServer: Sendable {
    /// Returns when the server has received the whole photo.
    func upload(_ photo: Photo) async throws
}
