import UIKit

final class AppDelegate: UIResponder, UIApplicationDelegate {
    let uploader: Uploader

    init(server: any PhotoServer) {
        uploader = Uploader(server: server)
        super.init()
    }

    override convenience init() {
        self.init(server: HTTPPhotoServer())
    }

    func photosWerePicked(_ photos: [Photo]) {
        for photo in photos { uploader.upload(photo) }
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        uploader.resume()
    }
}
