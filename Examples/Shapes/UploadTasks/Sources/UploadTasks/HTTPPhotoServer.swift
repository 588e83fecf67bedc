import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The real server, for use outside tests. The photos are in the app's caches.
struct HTTPPhotoServer: PhotoServer {
    func upload(_ photo: Photo) async throws {
        let address = URL(string: "https://photos.example.com")?.appendingPathComponent(photo.name)
        guard let address else { throw URLError(.badURL) }
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
        let file = caches.appendingPathComponent(photo.name)
        let (_, response) = try await URLSession.shared.upload(for: request, fromFile: file)
        guard (response as? HTTPURLResponse)?.statusCode == 201 else { throw URLError(.badServerResponse) }
    }
}
