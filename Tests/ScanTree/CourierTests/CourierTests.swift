import XCTest

final class CourierTests: XCTestCase {}
