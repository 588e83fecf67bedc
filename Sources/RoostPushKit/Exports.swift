// As on iOS, an import of PushKit also imports Foundation.
@_exported public import Foundation
