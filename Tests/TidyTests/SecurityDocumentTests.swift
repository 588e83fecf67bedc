import Testing

/// The system calls that apps are refused: in the code and in `docs/security.md` they are the same.
@Suite struct SecurityDocumentTests {
    private func text(_ path: String) -> String { Repository.files.first { $0.path == path }?.text ?? "" }

    @Test func everyRefusedCallIsArgued() {
        let list = text("Sources/CRoost/calls.c").split(separator: "refused[] = {").last ?? ""
        let refused = list.matches(of: /(?:NEVER|NO_IPC)\((\w+)\),|\{ SYS_(\w+),/).map {
            String($0.output.1 ?? $0.output.2 ?? "")
        }
        let table =
            text("docs/security.md").split(separator: "| refused | why |").last?.split(separator: "\n\n").first ?? ""
        let named = table.split(separator: "\n").flatMap { row in
            (row.split(separator: "|").first ?? "").matches(of: /`(\w+)`/).map { String($0.output.1) }
        }
        #expect(refused.count > 40 && refused.contains("clone3"))
        #expect(Set(refused) == Set(named))
    }
}
