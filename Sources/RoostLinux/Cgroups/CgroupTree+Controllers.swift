internal import Glibc
internal import LifeCycleModel
public import RoostPorts

/// The controllers of a unified tree, where it has any: on a hybrid mount they belong to the v1 hierarchies.
extension CgroupTree {
    /// The controllers Roost has a use for.
    static let wanted = ["cpu", "io", "memory", "pids"]

    /// Where the system's directory lies.
    private var parent: CgroupTree { CgroupTree(root: root.lastIndex(of: "/").map { String(root[..<$0]) } ?? root) }

    /// Switches controllers on for the cgroups of launches, as far as the kernel and the user's rights allow; gives why
    /// each was refused that is to be had in the place.
    ///
    /// For a cgroup that holds processes the kernel refuses (`EBUSY`): a system that is to have them has to be given a
    /// place without processes beside it, as one that is started in `CgroupDiscovery.leaf` has.
    func enableControllers(_ wanted: [String] = Self.wanted) -> [SystemError] {
        let offered = parent.words(.controllers)
        var refused: [SystemError] = []
        for controller in wanted {
            do throws(SystemError) {
                if !words(.controllers).contains(controller) {
                    guard offered.contains(controller) else { continue }
                    try parent.switchOn(controller)
                }
                if words(.controllers).contains(controller) { try switchOn(controller) }
            } catch {
                refused.append(error)
            }
        }
        return refused
    }

    private func switchOn(_ controller: String) throws(SystemError) {
        do throws(SystemError) {
            try write("+" + controller, to: .subtreeControl, of: "")
        } catch {
            throw refusal(of: controller, error.errno)
        }
    }

    private func refusal(of controller: String, _ code: Int32) -> SystemError {
        let advice: String? =
            switch code {
            case EBUSY:
                "it holds processes (\(ownProcesses.prefix(3).map(String.init).joined(separator: ", "))), and so gives "
                    + "those below it no controllers: start Roost in a cgroup below it that is called "
                    + "\(CgroupDiscovery.leaf) (DelegateSubgroup=\(CgroupDiscovery.leaf) in a systemd unit)"
            case EACCES, EPERM, EROFS: "this user must be able to write its cgroup.subtree_control"
            default: nil
            }
        return SystemError(
            doing: "switch the controller \(controller) on for apps", subject: root, errno: code, advice: advice)
    }

    /// What would come of switching controllers on, without doing it.
    func outlook(_ wanted: [String] = Self.wanted) -> [ControllerOutlook] {
        let offered = parent.words(.controllers)
        return wanted.map { controller in
            if words(.subtreeControl).contains(controller) {
                return ControllerOutlook(name: controller, state: .on)
            }
            guard offered.contains(controller) else { return ControllerOutlook(name: controller, state: .absent) }
            let code = words(.controllers).contains(controller) ? 0 : parent.obstacle
            let state = code == 0 ? ControllerOutlook.State.obtainable : .refused(parent.refusal(of: controller, code))
            return ControllerOutlook(name: controller, state: state)
        }
    }

    /// Why this cgroup's children get no more controllers; 0 where they may. The hierarchy's root, which has no
    /// `cgroup.events`, may hold processes.
    private var obstacle: Int32 {
        guard access(root + "/" + Knob.subtreeControl.rawValue, W_OK) == 0 else { return errno }
        return has(.events, of: "") && !ownProcesses.isEmpty ? EBUSY : 0
    }

    /// The processes in this very cgroup.
    private var ownProcesses: [Int32] {
        ((try? read(.processes, of: "")) ?? "").split(separator: "\n").compactMap { Int32($0) }
    }

    /// The words of a knob of the cgroup itself.
    func words(_ knob: Knob) -> Set<String> {
        let text = (try? read(knob, of: "")) ?? ""
        return Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    /// A launch's number of this kind: nil where the controller is off, or the number is `max`.
    func number(_ knob: Knob, of name: String) -> Int64? {
        guard let text = try? read(knob, of: name) else { return nil }
        return text.split(separator: "\n").first.flatMap { Int64($0) }
    }
}

/// Whether the cgroups of apps have a controller, or would have it once a system starts.
public struct ControllerOutlook: Hashable, Sendable {
    /// What there is to say of it.
    public enum State: Hashable, Sendable {
        /// It is switched on.
        case on
        /// A system that starts switches it on.
        case obtainable
        /// It can't be switched on.
        case refused(SystemError)
        /// It is not to be had there: it is another hierarchy's, or nobody has handed it down.
        case absent
    }

    /// The controller.
    public let name: String
    /// How it is with it.
    public let state: State
}
