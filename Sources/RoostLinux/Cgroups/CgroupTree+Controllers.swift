internal import Glibc
internal import LifeCycleModel
public import RoostPorts

/// The controllers of a unified tree. A hybrid mount has no controllers, because they belong to the v1 hierarchies.
extension CgroupTree {
    /// The controllers that Roost uses.
    static let wanted = ["cpu", "io", "memory", "pids"]

    /// The cgroup that contains the system's directory.
    private var parent: CgroupTree { CgroupTree(root: root.lastIndex(of: "/").map { String(root[..<$0]) } ?? root) }

    /// Enables controllers for the cgroups of launches, if kernel and permissions allow it. Returns why controllers
    /// that are available here could not be enabled.
    ///
    /// The kernel refuses this for a cgroup that holds processes (`EBUSY`). A system that needs controllers must get a
    /// place without processes, for example by starting in `CgroupDiscovery.leaf`.
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
            doing: "enable the controller \(controller) for apps", subject: root, errno: code, advice: advice)
    }

    /// The result that enabling controllers would have. Changes nothing.
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

    /// The `errno` that would prevent more controllers for this cgroup's children; 0 if nothing prevents them. The root
    /// of the hierarchy, which has no `cgroup.events`, may hold processes.
    private var obstacle: Int32 {
        guard access(root + "/" + Knob.subtreeControl.rawValue, W_OK) == 0 else { return errno }
        return has(.events, of: "") && !ownProcesses.isEmpty ? EBUSY : 0
    }

    /// The processes in this cgroup itself.
    private var ownProcesses: [Int32] {
        ((try? read(.processes, of: "")) ?? "").split(separator: "\n").compactMap { Int32($0) }
    }

    /// The words in a file of this cgroup itself.
    func words(_ knob: Knob) -> Set<String> {
        let text = (try? read(knob, of: "")) ?? ""
        return Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    /// The number in a file of a launch's cgroup; nil if the controller is off, or if the file says `max`.
    func number(_ knob: Knob, of name: String) -> Int64? {
        guard let text = try? read(knob, of: name) else { return nil }
        return text.split(separator: "\n").first.flatMap { Int64($0) }
    }
}

/// Whether the cgroups of apps have a controller, or will have it once a system starts.
public struct ControllerOutlook: Hashable, Sendable {
    /// Whether a controller is on, or what prevents it.
    public enum State: Hashable, Sendable {
        /// The controller is enabled.
        case on
        /// A system enables the controller when it starts.
        case obtainable
        /// The controller cannot be enabled.
        case refused(SystemError)
        /// The controller is unavailable here: it belongs to another hierarchy, or was not delegated.
        case absent
    }

    /// As in `cgroup.controllers`, such as `cpu`.
    public let name: String
    /// Whether the controller is on for apps, can be enabled, or why not.
    public let state: State
}
