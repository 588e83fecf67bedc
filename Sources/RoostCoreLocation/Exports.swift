// As on iOS, an import of Core Location also imports Foundation.
@_exported public import Foundation
