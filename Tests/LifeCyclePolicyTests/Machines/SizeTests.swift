import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The sizes of the brain's values. Every event copies them, so a large value boxes the data that few of its cases
/// need.
@Suite struct SizeTests {
    @Test func wordsFitACacheLine() {
        #expect(MemoryLayout<Event>.size <= 64)
        #expect(MemoryLayout<Effect>.size <= 64)
        #expect(MemoryLayout<Signal>.size <= 64)
        #expect(MemoryLayout<Callback>.size <= 64)
        #expect(MemoryLayout<Decision>.size <= 64)
    }

    /// Ten thousand apps are searched and moved, so rarely changed data is stored separately.
    @Test func anAppIsSmall() {
        #expect(MemoryLayout<App>.size <= 256)
    }
}
