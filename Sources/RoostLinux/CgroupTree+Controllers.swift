internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// The controllers of a unified tree, where it has any: on a hybrid mount they belong to the v1 hierarchies.
extension CgroupTree {
    /// The controllers Roost has a use for.
    static let wanted = ["cpu", "io", "memory", "pids"]

    /// Switches the wanted controllers on for the cgroups of launches, as far as the kernel and the user's rights allow.
    ///
    /// For a cgroup that holds processes the kernel refuses (`EBUSY`): a system that is to have them has to be given a
    /// place of its own, without processes beside it.
    func enableControllers() {
        let parent = CgroupTree(root: root + "/..")
        let available = words(.controllers)
        for controller in Self.wanted {
            if !available.contains(controller) { try? parent.write("+" + controller, to: .subtreeControl, of: "") }
            if words(.controllers).contains(controller) {
                try? write("+" + controller, to: .subtreeControl, of: "")
            }
        }
    }

    /// The words of a knob of the system's own cgroup.
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
