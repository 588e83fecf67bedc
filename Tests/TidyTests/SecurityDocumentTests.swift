import Testing

/// The system calls that apps and the carrier are refused are the same in the code and in `docs/security.md`.
@Suite struct SecurityDocumentTests {
    private func text(_ path: String) -> String { Repository.files.first { $0.path == path }?.text ?? "" }

    /// The calls in the first column of the document's table with this head.
    private func named(below head: String) -> Set<String> {
        let table = text("docs/security.md").split(separator: head).last?.split(separator: "\n\n").first ?? ""
        let names = table.split(separator: "\n").flatMap { row in
            (row.split(separator: "|").first ?? "").matches(of: /`(\w+)`/).map { String($0.output.1) }
        }
        return Set(names)
    }

    @Test func everyRefusedCallIsArgued() {
        let list = text("Sources/CRoost/calls.c").split(separator: "refused[] = {").last ?? ""
        let refused = list.matches(of: /(?:NEVER|NO_IPC)\((\w+)\),|\{ SYS_(\w+),/).map {
            String($0.output.1 ?? $0.output.2 ?? "")
        }
        #expect(refused.count > 40 && refused.contains("clone3"))
        #expect(Set(refused) == named(below: "| refused | why |"))
    }

    /// The carrier's refused calls are a list, and those that depend on its process and its socket pair.
    @Test func everyCallRefusedToTheCarrierIsArgued() {
        let code = text("Sources/CRoost/carrier.c")
        let list = code.split(separator: "refused[] = {").last?.split(separator: "};").first ?? ""
        let added = code.split(separator: "croost_refuse_calls_of_carrier(int channel)").last ?? ""
        let refused = [list, added].flatMap { part in
            part.matches(of: /NEVER\((\w+)\)|SYS_(\w+)/).map { String($0.output.1 ?? $0.output.2 ?? "") }
        }
        #expect(refused.count > 30 && refused.contains("execve") && refused.contains("tgkill"))
        #expect(Set(refused) == named(below: "| refused to the carrier | why |"))
    }
}
