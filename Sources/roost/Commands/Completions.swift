import ArgumentParser

struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a completion script for a shell; it completes the identifiers of installed apps as well.",
        discussion: """
            bash: roost completions bash > ~/.local/share/bash-completion/completions/roost
            zsh: roost completions zsh > a directory of $fpath, as _roost
            fish: roost completions fish > ~/.config/fish/completions/roost.fish
            """)

    @Argument(help: "bash, zsh or fish.", completion: .list(Shell.allCases.map(\.rawValue)))
    var shell: Shell

    func run() { print(Roost.completionScript(for: shell.completion)) }

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish

        var completion: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }
}
