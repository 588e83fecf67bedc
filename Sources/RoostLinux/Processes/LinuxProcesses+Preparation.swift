internal import Glibc
internal import LifeCycleModel
public import RoostPorts

extension LinuxProcesses {
    /// Gives an app its container and its bundle if another user owns them. This is the case at the first launch after
    /// an installation, and after a run of the system with other uids for apps. Nil without root, because only root can
    /// change owners.
    public func preparation(
        of specification: LaunchSpecification
    ) throws(SystemError) -> (@Sendable () -> Result<Void, SystemError>)? {
        guard geteuid() == 0, let confinement = specification.confinement else { return nil }
        let user = try sandbox.user(of: specification.launch.app)
        let ownership = Ownership(user: user ?? 0)
        let hasContainer = try ownership.has(container: confinement.container)
        let isBundleOpen = user == nil ? true : try ownership.isOpen(bundle: confinement.bundle)
        guard !hasContainer || !isBundleOpen else { return nil }
        return {
            Result { () throws(SystemError) in
                if !hasContainer { try ownership.give(container: confinement.container) }
                if !isBundleOpen { try ownership.open(bundle: confinement.bundle) }
            }
        }
    }
}
