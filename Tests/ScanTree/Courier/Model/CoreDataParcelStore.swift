import CoreData

final class CoreDataParcelStore: ParcelStore {
    private let container = NSPersistentContainer(name: "Courier")

    func all() throws -> [Parcel] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Parcel")
        return try container.viewContext.fetch(request).compactMap { $0.value(forKey: "id") as? String }.map {
            Parcel(id: $0)
        }
    }

    func save(_ parcels: [Parcel]) throws { try container.viewContext.save() }
}
