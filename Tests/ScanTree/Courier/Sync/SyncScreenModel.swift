import Foundation

/// What a screen shows of a sync; it asks the client.
final class SyncScreenModel {
    private let client: APIClient

    init(client: APIClient) { self.client = client }

    func send(_ parcel: Parcel) { client.send(parcel) { log("sent: \($0)") } }
}
