import LifeCycleText
import Testing

@Suite struct SizeTextTests {
    @Test(
        arguments: [
            (0, "0 KiB"), (1023, "0 KiB"), (1024, "1 KiB"), (1 << 20 - 1, "1023 KiB"), (1 << 20, "1.0 MiB"),
            (3 << 19, "1.5 MiB"), (48 << 20, "48.0 MiB"), (1 << 30 - 1, "1023.9 MiB"), (1 << 30, "1.0 GiB"),
            (5 << 29, "2.5 GiB"), (Int64.max, "8589934591.9 GiB"),
        ] as [(Int64, String)])
    func sizesHaveOneDecimalDigit(bytes: Int64, text: String) {
        #expect(SizeText.text(bytes) == text)
    }
}
