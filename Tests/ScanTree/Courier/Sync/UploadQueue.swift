import Foundation

final class UploadQueue {
    private let store: ParcelStore
    private let queue = DispatchQueue(label: "uploads", qos: .utility)
    private let cache = NSCache<NSString, NSData>()

    init(store: ParcelStore) { self.store = store }

    func sendAll() -> Int {
        queue.sync {
            let waiting = (try? store.all()) ?? []
            return waiting.filter { !$0.isSent }.count
        }
    }

    func dropCaches() { cache.removeAllObjects() }
}
