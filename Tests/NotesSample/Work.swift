import UIKit

/// Work for a moment: counts primes, a chunk of numbers at a time.
class Work {
    static let shared = Work()

    private(set) var primes = 0

    func doAll() {
        primes = 0
        for chunk in 0..<10 {
            primes += (max(2, chunk * 100)..<(chunk + 1) * 100).filter(isPrime).count
        }
        print("\(primes) primes")
    }

    private func isPrime(_ number: Int) -> Bool { !(2..<number).contains { number % $0 == 0 } }
}
