import Foundation

/// The state of a sync on the screen, from the client.
final class SyncScreenModel {
    private let client: APIClient

    init(client: APIClient) { self.client = client }

    func send(_ parcel: Parcel) { client.send(parcel) { log("sent: \($0)") } }
}
