// As on iOS, an import of AVFAudio also imports Foundation.
@_exported public import Foundation
