import Testing

@testable import LifeCyclePlay

/// The table of Korean sentences.
@Suite struct KoreanTests {
    @Test(arguments: [
        ("has 30 s of background time", "백그라운드 시간 30초 주어짐"),
        ("not running → inactive", "실행 전 → 비활성"),
        ("not woken for backgroundFetch: Background App Refresh is off", "백그라운드 페치 때문에 깨우지 않음: 백그라운드 앱 새로 고침이 꺼져 있음"),
        ("ended: the system needed memory, jetsam: highwater (signal 9)", "끝남: 메모리가 필요했음, jetsam: highwater (시그널 9)"),
        ("performFetch: newData, after 3 s", "performFetch: newData, 3초 걸림"),
    ])
    func knownSentencesAreTranslated(english: String, korean: String) { #expect(Korean.text(english) == korean) }

    @Test(arguments: ["", "a region was left, and the app hears so", "all of that is over", "\"a\", \"b c\""])
    func unknownSentencesStayEnglish(english: String) { #expect(Korean.text(english) == english) }
}
