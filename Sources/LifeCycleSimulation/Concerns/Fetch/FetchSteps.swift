import LifeCycleModel
import LifeCyclePolicy

extension ConcernStep {
    /// The app requests background fetch. Below, the app stops requesting fetches.
    static let askForFetches = code("ask for fetches") {
        $0.request(.concern(.fetch(.setMinimumInterval(.zero))), $1)
    }
    static let askForNoFetches = code("ask for no fetches") {
        $0.request(.concern(.fetch(.setMinimumInterval(nil))), $1)
    }
    /// The user gives the app an opportunity to fetch.
    static let offerFetch = ConcernStep("offer fetch") { world, app in
        world.handle(.device(.wakeOccurred(app, .backgroundFetch)))
        return true
    }
}
