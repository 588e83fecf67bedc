import Foundation
import Testing

/// The faults in a list of surviving mutants, with the files of the repository.
private func complaints(about list: String, among files: [SourceFile]) -> [String] {
    // The first paragraph explains the list.
    list.split(separator: "\n\n").dropFirst().compactMap { entry in
        let form = /Place: (\S+), (\w+)\n((?:-.+\n)+)((?:\+.+\n)*)Survives: .+\n?/
        guard let (_, path, function, removed, _) = entry.wholeMatch(of: form)?.output else {
            return "not a place, a change and a reason: \(entry)"
        }
        guard let file = files.first(where: { $0.path == path }) else { return "there is no file \(path)" }
        let old = removed.split(separator: "\n").map { $0.dropFirst().trimmingCharacters(in: .whitespaces) }
        let lines = file.lines.map { $0.trimmingCharacters(in: .whitespaces) }
        guard file.text.contains(function), lines.contains(old) else {
            return "\(path) no longer has \(function) or the lines \(old)"
        }
        return nil
    }
}

/// `Tests/Mutants/survivors.txt`, by which `scripts/mutants` recognizes mutants that are the same program.
@Suite struct SurvivorTests {
    @Test func everySurvivorExistsAndHasAReason() {
        let list = Repository.files.first { $0.path == "Tests/Mutants/survivors.txt" }?.text ?? ""
        #expect(list.contains("\nPlace: "))
        let found = complaints(about: list, among: Repository.files)
        #expect(found.isEmpty, "Tests/Mutants/survivors.txt: \(found)")
    }

    @Test func objects() {
        let file = SourceFile(path: "Sources/A/B.swift", text: "func f() {\n    one()\n    two()\n}\n")
        let good = "What this is.\n\nPlace: Sources/A/B.swift, f\n-one()\n-  two()\n+three()\nSurvives: For a reason.\n"
        func found(_ list: String) -> Int { complaints(about: list, among: [file]).count }
        #expect(found(good) == 0)
        for (old, new) in [
            ("A/B", "A/C"), (", f", ", g"), ("one", "four"), ("one()\n-  two", "two()\n-one"), ("-one", "one"),
            ("Survives", "Because"), ("For a reason.", ""),
        ] {
            #expect(found(good.replacing(old, with: new)) == 1, "\(new)")
        }
    }
}
