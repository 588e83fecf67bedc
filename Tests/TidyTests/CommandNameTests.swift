import Foundation
import Testing

/// Without a name in its configuration, ArgumentParser makes a command's name from its type. For this the runtime searches
/// all conformances of the program, which was a third of each command's start.
struct CommandNameTests {
    @Test func everyCommandHasItsNameInItsConfiguration() {
        let commands = Repository.files.filter(\.isSource).flatMap { file in
            file.text.components(separatedBy: " = CommandConfiguration(").dropFirst().map { (file.path, $0) }
        }
        let nameless = commands.filter { !$1.drop(while: \.isWhitespace).hasPrefix("commandName: ") }
        #expect(nameless.isEmpty, "\(nameless.map { "\($0): \($1.prefix(80))" })")
        #expect(commands.count > 40)
    }
}
