import Foundation

protocol ParcelStore {
    func all() throws -> [Parcel]
    func save(_ parcels: [Parcel]) throws
}

struct FileParcelStore: ParcelStore {
    let folder: URL

    private var file: URL { folder.appendingPathComponent("parcels.json") }

    func all() throws -> [Parcel] { try JSONDecoder().decode([Parcel].self, from: Data(contentsOf: file)) }

    func save(_ parcels: [Parcel]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        try encoder.encode(parcels).write(to: file, options: .atomic)
    }
}
