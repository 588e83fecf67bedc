import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The brain copies its words with every event: a word that is large carries what few of its cases need in a box.
@Suite struct SizeTests {
    @Test func wordsFitACacheLine() {
        #expect(MemoryLayout<Event>.size <= 64)
        #expect(MemoryLayout<Effect>.size <= 64)
        #expect(MemoryLayout<Signal>.size <= 64)
        #expect(MemoryLayout<Callback>.size <= 64)
        #expect(MemoryLayout<Decision>.size <= 64)
    }

    /// Ten thousand of them are searched and moved: what is rarely changed is kept apart.
    @Test func anAppIsSmall() {
        #expect(MemoryLayout<App>.size <= 256)
    }
}
