import UIKit

class FeedViewController: UITableViewController {
    @IBOutlet private var emptyLabel: UILabel!
    private var parcels: [Parcel] = []

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { parcels.count }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "parcel", for: indexPath)
        (cell as? ParcelCell)?.show(parcels[indexPath.row])
        return cell
    }

    @IBAction private func refresh(_ sender: Any) { tableView.reloadData() }
}
