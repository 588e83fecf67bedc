import UIKit

final class ParcelCell: UITableViewCell {
    private let label = UILabel()

    func show(_ parcel: Parcel) { label.text = ParcelFormatter().text(parcel) }
}
