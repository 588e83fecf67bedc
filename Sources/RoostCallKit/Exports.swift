// As on iOS, an import of CallKit also imports Foundation.
@_exported public import Foundation
