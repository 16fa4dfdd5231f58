import UIKit
import WebKit

/// The cashier in a `WKWebView`. Give it to a view controller, call `start()`, take it away on `.closed`.
///
/// What it reports is for display alone: credit a user on the signed webhook, nowhere else.
@MainActor
final class CashierView: UIView {
  enum Event {
    /// The first screen can be used, or why not.
    case started
    case failed(String)
    /// A payment has moved: `processing`, `progress`, `success` or `decline`. A hint.
    case transaction(event: String, depositId: String?, withdrawalId: String?)
    /// The person asks for help with a payment.
    case support(depositId: String, paymentMethod: String)
    /// Another page than the cashier's is shown, a bank's for instance: name it above the view. `nil`: the cashier is back.
    case payingAt(host: String?)
    /// For your engineers: a stable code and a text without personal data.
    case problem(code: String, message: String)
    case closed
  }

  /// Apps that a payment may be handed to. Anything else that is no web page is refused.
  private static let appSchemes: Set<String> = [
    "upi", "phonepe", "paytmmp", "gpay", "bitcoin", "ethereum", "ton", "tel", "mailto",
  ]
  private static let longestMessage = 64 * 1024

  private let cashier: URL
  private let partner: String
  private let payload: [String: Any]
  private let fetchToken: () async throws -> String
  private let onEvent: (Event) -> Void
  private let webView: WKWebView
  /// In memory alone: never in an address, a log or a defaults file.
  private var token: String?

  /// - Parameters:
  ///   - cashier: where the cashier lives, such as `https://pay.example.com`.
  ///   - payload: what `loaded` carries beside the token: `userId`, `currency`, `paymentGeo`, `locale` and so on.
  ///   - fetchToken: asks your own backend for a user token.
  init(
    cashier: URL, partner: String, payload: [String: Any],
    fetchToken: @escaping () async throws -> String, onEvent: @escaping (Event) -> Void
  ) {
    precondition(cashier.scheme == "https", "The cashier is spoken to over https alone.")
    self.cashier = cashier
    self.partner = partner
    self.payload = payload.merging(
      ["platform": "ios", "isMobileApp": true, "nativeActions": ["copy", "share"]]) { _, ours in ours }
    self.fetchToken = fetchToken
    self.onEvent = onEvent
    let configuration = WKWebViewConfiguration()
    // Not limitsNavigationsToAppBoundDomains: it would refuse the pages of banks, which nobody can list. And an app whose
    // Info.plist has WKAppBoundDomains loses the bridge in every web view that does not set it. See the README.
    configuration.preferences.javaScriptCanOpenWindowsAutomatically = false
    webView = WKWebView(frame: .zero, configuration: configuration)
    super.init(frame: .zero)
    configuration.userContentController.add(WeakHandler(self), name: "cashier")
    webView.navigationDelegate = self
    webView.allowsLinkPreview = false
    webView.translatesAutoresizingMaskIntoConstraints = false
    addSubview(webView)
    NSLayoutConstraint.activate([
      webView.topAnchor.constraint(equalTo: topAnchor), webView.bottomAnchor.constraint(equalTo: bottomAnchor),
      webView.leadingAnchor.constraint(equalTo: leadingAnchor), webView.trailingAnchor.constraint(equalTo: trailingAnchor),
    ])
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { fatalError("Made in code.") }

  /// Asks for the token first, since the page waits five seconds for it and no longer, then shows the cashier.
  func start() async {
    do {
      token = try await fetchToken()
    } catch {
      onEvent(.failed("No user token."))
      return
    }
    var address = URLComponents(
      url: cashier.appendingPathComponent("cashier/deposit"), resolvingAgainstBaseURL: false)
    // The address ends up in logs: the operator's public name and nothing about the person.
    address?.queryItems = [URLQueryItem(name: "partner", value: partner)]
    if let url = address?.url { webView.load(URLRequest(url: url)) }
  }

  /// Asks the cashier to close; it may have to finish something first, and answers with `.closed`.
  func close() { say(["messageType": "close", "payload": [String: Any]()]) }

  /// From another page than the cashier's, a bank's for instance, back to the cashier.
  func returnToCashier() { Task { await start() } }

  // MARK: What goes in

  /// Into the property that the page polls. The page itself compares its origin, so that nothing is given to a page that
  /// came meanwhile; the values travel as arguments, never as text of a script.
  private func givePayload(_ token: String) {
    run("if (location.origin === origin) window.cashierPayload = value", payload.merging(["token": token]) { _, new in new })
  }

  /// The page's own window is the one that it listens to in an app.
  private func say(_ message: [String: Any]) {
    run("if (location.origin === origin) window.postMessage(value, origin)", message)
  }

  private func run(_ script: String, _ value: [String: Any]) {
    webView.callAsyncJavaScript(
      script, arguments: ["origin": cashier.origin ?? "", "value": value], in: nil, in: .page, completionHandler: nil)
  }

  private func renewToken() async {
    do {
      let fresh = try await fetchToken()
      token = fresh
      say(["messageType": "loaded", "payload": payload.merging(["token": fresh]) { _, new in new }])
    } catch {
      onEvent(.problem(code: "token-failed", message: "No fresh user token."))
    }
  }

  // MARK: What comes out

  fileprivate func receive(_ message: WKScriptMessage) {
    // Source, then origin, then shape.
    guard message.frameInfo.isMainFrame, message.frameInfo.securityOrigin.matches(cashier),
      let text = message.body as? String, text.utf8.count <= Self.longestMessage,
      let said = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      let messageType = said["messageType"] as? String
    else { return }
    let detail = said["payload"] as? [String: Any] ?? [:]
    let word = { (name: String) in detail[name] as? String }
    switch messageType {
    case "Loaded":
      if let token { givePayload(token) }
    case "token-expired":
      Task { await renewToken() }
    case "init":
      onEvent(detail["success"] as? Bool == true ? .started : .failed(word("error") ?? ""))
    case "transaction":
      if let event = word("event") {
        onEvent(.transaction(event: event, depositId: word("depositId"), withdrawalId: word("withdrawalId")))
      }
    case "support":
      if let id = word("depositId"), let method = word("paymentMethod") {
        onEvent(.support(depositId: id, paymentMethod: method))
      }
    case "copy":
      if let value = word("text") { UIPasteboard.general.string = value }
    case "share":
      if let value = word("text") { share(value) }
    case "error":
      onEvent(.problem(code: word("code") ?? "", message: word("message") ?? ""))
    case "close":
      onEvent(.closed)
    default:
      break  // metric, onLocaleError, resize, and what later versions add
    }
  }

  private func share(_ text: String) {
    let sheet = UIActivityViewController(activityItems: [text], applicationActivities: nil)
    sheet.popoverPresentationController?.sourceView = self
    window?.rootViewController?.topmost.present(sheet, animated: true)
  }
}

extension CashierView: WKNavigationDelegate {
  func webView(_ webView: WKWebView, decidePolicyFor action: WKNavigationAction) async -> WKNavigationActionPolicy {
    guard let url = action.request.url, let scheme = url.scheme?.lowercased() else { return .cancel }
    let isPage = scheme == "https"
    guard let frame = action.targetFrame else {
      // A link that wants a window of its own: help, an explorer, an agent's chat.
      if isPage || Self.appSchemes.contains(scheme) { await UIApplication.shared.open(url) }
      return .cancel
    }
    if !frame.isMainFrame { return isPage || url.absoluteString == "about:blank" ? .allow : .cancel }
    // The cashier itself, and the pages of a payment: they take its place and lead back to it (a form cannot be handed to
    // another browser). The bridge above is deaf to them.
    if isPage { return .allow }
    if Self.appSchemes.contains(scheme) { await UIApplication.shared.open(url) }
    return .cancel
  }

  func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {
    onEvent(.payingAt(host: webView.url?.origin == cashier.origin ? nil : webView.url?.host))
  }

  func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { webView.reload() }
}

/// A user content controller holds its handlers strongly; without this the view would never go.
private final class WeakHandler: NSObject, WKScriptMessageHandler {
  private weak var view: CashierView?
  init(_ view: CashierView) { self.view = view }
  func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
    view?.receive(message)
  }
}

extension WKSecurityOrigin {
  /// Scheme, host and port, each letter by letter. WebKit writes 0 for a scheme's own port.
  fileprivate func matches(_ url: URL) -> Bool {
    `protocol` == url.scheme && host == url.host && (port == 0 ? 443 : port) == (url.port ?? 443)
  }
}

extension URL {
  /// As a page's `location.origin` writes it.
  fileprivate var origin: String? {
    var origin = URLComponents()
    origin.scheme = scheme
    origin.host = host
    origin.port = port
    return origin.string
  }
}

extension UIViewController {
  fileprivate var topmost: UIViewController { presentedViewController?.topmost ?? self }
}
