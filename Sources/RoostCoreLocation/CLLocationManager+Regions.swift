import AppCore
import LifeCycleModel
import RoostKit

/// Monitored regions. They belong to the app: they outlive its process, and all managers with a delegate
/// are told of a crossing.
extension CLLocationManager {
    /// Whether regions of this class can be monitored: circular ones.
    nonisolated public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type
    }

    /// The largest radius of a monitored region in meters.
    public var maximumRegionMonitoringDistance: CLLocationDistance { Double(LocationRegion.longestRadius) / 100 }

    /// The regions that the app monitors, also those of earlier launches.
    public var monitoredRegions: Set<CLRegion> {
        Set(app.readingLocation(\.monitoredRegions).map { CLCircularRegion($0) })
    }

    /// Starts to monitor a circular region; at most 20 for an app. A region of the same identifier is replaced. With the
    /// permission `always`, a crossing wakes and launches the app. That the device is inside already is no crossing.
    public func startMonitoring(for region: CLRegion) {
        startedRegions[region.identifier] = region
        let monitorable = (region as? CLCircularRegion)?.monitorable
        let identifier = region.identifier
        app.locating { [id] core, steps in
            core.startRegion(monitorable, named: identifier, of: id, into: &steps)
        }
    }

    /// Stops the monitoring of the region with this identifier.
    public func stopMonitoring(for region: CLRegion) {
        let identifier = region.identifier
        app.locating { core, steps in core.stopRegion(identifier, into: &steps) }
    }

    /// Asks whether the device is in a region: `locationManager(_:didDetermineState:for:)`, as soon as it is known. The
    /// state of a region that is not monitored is unknown.
    public func requestState(for region: CLRegion) {
        guard let region = (region as? CLCircularRegion)?.monitorable else { return }
        app.locating { [id] core, steps in core.askState(of: region, for: id, into: &steps) }
    }

    func tellOfRegion(_ call: LocationManagerCall, to delegate: any CLLocationManagerDelegate) {
        switch call {
        case .startedMonitoring(let region):
            startedRegions[region.identifier] = nil
            delegate.locationManager(self, didStartMonitoringFor: CLCircularRegion(region))
        case .monitoringFailed(let identifier, let failure):
            let region = startedRegions.removeValue(forKey: identifier)
            delegate.locationManager(self, monitoringDidFailFor: region, withError: CLError(failure: failure))
        case .crossed(let region, isInside: true):
            delegate.locationManager(self, didEnterRegion: CLCircularRegion(region))
        case .crossed(let region, isInside: false):
            delegate.locationManager(self, didExitRegion: CLCircularRegion(region))
        case .determined(let region, let isInside):
            delegate.locationManager(
                self, didDetermineState: CLRegionState(isInside: isInside), for: CLCircularRegion(region))
        case .location, .waits: break
        }
    }
}

extension CLError {
    fileprivate init(failure: LocationRegionFailure) {
        let code: Code =
            switch failure {
            case .denied: .regionMonitoringDenied
            case .failure: .regionMonitoringFailure
            }
        self.init(code)
    }
}
