import Foundation
import Testing

@testable import RoostKit

/// The tree of views, controllers, windows and the first responder. Serial: the windows of a process are one list.
@Suite(.serialized) @MainActor struct ViewTests {
    private final class Field: UIView {
        override var canBecomeFirstResponder: Bool { true }
        var letsGo = true
        override var canResignFirstResponder: Bool { letsGo }
    }

    /// Records the methods that are called.
    private final class Noting: UIViewController {
        private(set) var calls: [String] = []

        override func loadView() {
            calls.append("loadView")
            super.loadView()
        }
        override func viewDidLoad() { calls.append("viewDidLoad") }
        override func viewWillAppear(_ animated: Bool) { calls.append("viewWillAppear") }
        override func viewIsAppearing(_ animated: Bool) { calls.append("viewIsAppearing") }
        override func viewDidAppear(_ animated: Bool) { calls.append("viewDidAppear") }
        override func viewWillDisappear(_ animated: Bool) { calls.append("viewWillDisappear") }
        override func viewDidDisappear(_ animated: Bool) { calls.append("viewDidDisappear") }
        override func viewDidLayoutSubviews() { calls.append("viewDidLayoutSubviews") }
        override func willMove(toParent parent: UIViewController?) {
            calls.append("willMove \(parent == nil ? "out" : "in")")
        }
        override func didMove(toParent parent: UIViewController?) {
            calls.append("didMove \(parent == nil ? "out" : "in")")
        }

        func take() -> [String] {
            defer { calls = [] }
            return calls
        }
    }

    private let appearing = ["viewWillAppear", "viewIsAppearing", "viewDidLayoutSubviews", "viewDidAppear"]

    @Test func framesAndBoundsAgree() {
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
        #expect(view.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
        #expect(view.center == CGPoint(x: 25, y: 40))
        view.bounds.size.width = 10
        #expect(view.frame == CGRect(x: 20, y: 20, width: 10, height: 40))
    }

    @Test func aViewHasOneSuperview() {
        let (a, b, child) = (UIView(), UIView(), UIView())
        a.addSubview(child)
        b.addSubview(child)
        #expect(a.subviews.isEmpty && b.subviews == [child] && child.superview === b)
        child.removeFromSuperview()
        #expect(b.subviews.isEmpty && child.superview == nil)
    }

    @Test func subviewsAreOrderedFromBackToFront() {
        let parent = UIView()
        let views = (0..<4).map { _ in UIView() }
        parent.addSubview(views[0])
        parent.insertSubview(views[1], at: 0)
        parent.insertSubview(views[2], aboveSubview: views[1])
        parent.insertSubview(views[3], belowSubview: views[0])
        #expect(parent.subviews == [views[1], views[2], views[3], views[0]])
        parent.bringSubviewToFront(views[1])
        parent.sendSubviewToBack(views[0])
        #expect(parent.subviews == [views[0], views[2], views[3], views[1]])
        parent.insertSubview(views[0], at: 99)
        #expect(parent.subviews.last === views[0])
    }

    @Test func aTouchFallsOnTheForemostViewThatTakesIt() {
        let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let back = UIView(frame: CGRect(x: 10, y: 10, width: 50, height: 50))
        let front = UIView(frame: CGRect(x: 20, y: 20, width: 50, height: 50))
        let inner = UIView(frame: CGRect(x: 5, y: 5, width: 10, height: 10))
        root.addSubview(back)
        root.addSubview(front)
        front.addSubview(inner)
        func hit(_ x: CGFloat, _ y: CGFloat) -> UIView? { root.hitTest(CGPoint(x: x, y: y), with: nil) }
        #expect(hit(30, 30) === inner && hit(50, 50) === front && hit(15, 15) === back && hit(5, 5) === root)
        #expect(hit(100, 5) == nil)
        front.isUserInteractionEnabled = false
        #expect(hit(30, 30) === back)
        back.alpha = 0
        #expect(hit(30, 30) === root)
        front.isUserInteractionEnabled = true
        front.isHidden = true
        #expect(hit(30, 30) === root)
    }

    @Test func pointsAreConverted() {
        let root = UIView(frame: CGRect(x: 7, y: 7, width: 100, height: 100))
        let a = UIView(frame: CGRect(x: 10, y: 20, width: 50, height: 50))
        let b = UIView(frame: CGRect(x: 1, y: 2, width: 5, height: 5))
        root.addSubview(a)
        a.addSubview(b)
        a.bounds.origin = CGPoint(x: 0, y: 100)
        #expect(b.convert(CGPoint.zero, to: root) == CGPoint(x: 11, y: -78))
        #expect(b.convert(CGPoint(x: 11, y: -78), from: root) == .zero)
        #expect(b.convert(CGRect(x: 0, y: 0, width: 2, height: 3), to: a) == CGRect(x: 1, y: 2, width: 2, height: 3))
    }

    @Test func aWindowHasOneFirstResponder() {
        let window = UIWindow(frame: UIScreen.main.bounds)
        let (a, b) = (Field(), Field())
        #expect(!a.becomeFirstResponder(), "the view is in no window")
        window.addSubview(a)
        window.addSubview(b)
        #expect(a.becomeFirstResponder() && a.isFirstResponder)
        #expect(b.becomeFirstResponder() && b.isFirstResponder && !a.isFirstResponder)
        b.letsGo = false
        #expect(!a.becomeFirstResponder() && b.isFirstResponder)
        b.removeFromSuperview()
        #expect(!b.isFirstResponder && window.firstResponder == nil)
        #expect(!window.becomeFirstResponder())
    }

    @Test func theChainLeadsOverControllersToTheWindow() {
        let window = UIWindow(frame: UIScreen.main.bounds)
        let controller = UIViewController()
        let view = UIView()
        controller.view.addSubview(view)
        window.rootViewController = controller
        window.isHidden = false
        // After the window comes the application, if other tests of this process host one.
        let chain = sequence(first: view as UIResponder) { $0.next }.prefix { !($0 is UIApplication) }
        #expect(
            chain.map { ObjectIdentifier($0) }
                == [view, controller.view, controller, window].map { ObjectIdentifier($0!) })
    }

    @Test func viewsAppearOnceTheAppIsActive() {
        let controller = Noting()
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = controller
        #expect(controller.take().isEmpty)
        window.makeKeyAndVisible()
        #expect(window.isKeyWindow)
        WindowList.shared.open()
        WindowList.shared.open()
        let calls = controller.take()
        #expect(calls == ["loadView", "viewDidLoad"] + appearing)
        let other = Noting()
        window.rootViewController = other
        #expect(controller.take() == ["viewWillDisappear", "viewDidDisappear"])
        #expect(other.take() == ["loadView", "viewDidLoad"] + appearing)
        window.isHidden = true
        #expect(other.take() == ["viewWillDisappear", "viewDidDisappear"])
        #expect(!window.isKeyWindow)
    }

    @Test func aPresentedControllerAppearsAndGoes() {
        let (root, sheet) = (Noting(), Noting())
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = root
        window.isHidden = false
        WindowList.shared.open()
        _ = root.take()
        var isDone = false
        root.present(sheet, animated: true) { isDone = true }
        #expect(isDone && root.presentedViewController === sheet && sheet.presentingViewController === root)
        #expect(sheet.take() == ["loadView", "viewDidLoad"] + appearing)
        #expect(root.everyone == [root, sheet])
        sheet.dismiss(animated: true)
        #expect(root.presentedViewController == nil && sheet.presentingViewController == nil)
        #expect(sheet.take() == ["viewWillDisappear", "viewDidDisappear"])
        #expect(root.take().isEmpty)
    }

    @Test func childrenAppearWithTheirParent() {
        let (parent, child) = (Noting(), Noting())
        parent.addChild(child)
        parent.view.addSubview(child.view)
        child.didMove(toParent: parent)
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = parent
        window.isHidden = false
        WindowList.shared.open()
        #expect(
            child.take() == [
                "willMove in", "loadView", "viewDidLoad", "didMove in", "viewWillAppear", "viewIsAppearing",
                "viewDidLayoutSubviews", "viewDidAppear",
            ])
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
        #expect(parent.children.isEmpty && child.parent == nil)
    }

    /// Only its maker owns a window.
    @Test func aReleasedWindowIsRemoved() {
        let before = WindowList.shared.all.count
        var window: UIWindow? = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = UIViewController()
        window?.makeKeyAndVisible()
        #expect(WindowList.shared.all.count == before + 1)
        window = nil
        #expect(WindowList.shared.all.count == before)
    }

    @Test func colorsAreEqualByTheirParts() {
        #expect(UIColor(white: 1, alpha: 1) == UIColor.white)
        #expect(UIColor.white.withAlphaComponent(0.5) != UIColor.white)
        var (red, green, blue, alpha) = (CGFloat(9), CGFloat(9), CGFloat(9), CGFloat(9))
        #expect(UIColor.orange.getRed(&red, green: &green, blue: &blue, alpha: &alpha))
        #expect([red, green, blue, alpha] == [1, 0.5, 0, 1])
    }
}
