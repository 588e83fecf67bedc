import Foundation

struct ParcelFormatter {
    private let formatter: DateComponentsFormatter = {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = .short
        return formatter
    }()

    func text(_ parcel: Parcel) -> String {
        parcel.due.flatMap { formatter.string(from: $0.timeIntervalSinceNow) } ?? "\(parcel.id), some day"
    }
}
