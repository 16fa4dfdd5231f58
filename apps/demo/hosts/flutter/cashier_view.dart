import 'dart:convert';
import 'dart:io' show Platform;

import 'package:flutter/material.dart';
import 'package:flutter/services.dart';
import 'package:url_launcher/url_launcher.dart';
import 'package:webview_flutter/webview_flutter.dart';

/// The cashier as a widget; take it away in [onClose].
///
/// What it reports is for display alone: credit a user on the signed webhook, nowhere else.
class CashierView extends StatefulWidget {
  const CashierView({
    super.key,
    required this.cashier,
    required this.partner,
    required this.payload,
    required this.getToken,
    required this.onClose,
    this.onTransaction,
    this.onProblem,
  });

  /// Where the cashier lives: `Uri.parse('https://pay.example.com')`.
  final Uri cashier;
  final String partner;

  /// What `loaded` carries beside the token: `userId`, `currency`, `paymentGeo`, `locale` and so on.
  final Map<String, Object?> payload;

  /// Asks your own backend for a user token.
  final Future<String> Function() getToken;
  final VoidCallback onClose;

  /// A payment has moved: `event`, and `depositId` or `withdrawalId`. A hint.
  final void Function(Map<String, Object?> detail)? onTransaction;
  final void Function(String code, String message)? onProblem;

  @override
  State<CashierView> createState() => _CashierViewState();
}

/// Apps that a payment may be handed to. Anything else that is no web page is refused.
const _appSchemes = {'upi', 'phonepe', 'paytmmp', 'gpay', 'tez', 'bitcoin', 'ethereum', 'ton', 'tel', 'mailto'};
const _longestMessage = 64 * 1024;

class _CashierViewState extends State<CashierView> {
  late final WebViewController _view;

  /// In memory alone: never in an address, a log or preferences.
  String? _token;
  String? _elsewhere;

  @override
  void initState() {
    super.initState();
    assert(widget.cashier.isScheme('https'), 'The cashier is spoken to over https alone.');
    _view = WebViewController()
      ..setJavaScriptMode(JavaScriptMode.unrestricted)
      // `window.cashierBridge.postMessage(json)`, there before the page's own scripts.
      ..addJavaScriptChannel('cashierBridge', onMessageReceived: _receive)
      ..setNavigationDelegate(NavigationDelegate(
        onNavigationRequest: _mayGo,
        onPageStarted: (url) {
          final page = Uri.tryParse(url);
          setState(() => _elsewhere = _isCashier(page) ? null : page?.host ?? '');
        },
      ));
    _start();
  }

  /// Asks for the token first, since the page waits five seconds for it and no longer.
  Future<void> _start() async {
    try {
      _token = await widget.getToken();
    } catch (_) {
      widget.onProblem?.call('token-failed', 'No user token.');
      return;
    }
    // The address ends up in logs: the operator's public name and nothing about the person.
    await _view.loadRequest(
        widget.cashier.replace(path: '/cashier/deposit', queryParameters: {'partner': widget.partner}));
  }

  bool _isCashier(Uri? page) => page != null && page.isScheme('https') && page.origin == widget.cashier.origin;

  NavigationDecision _mayGo(NavigationRequest request) {
    final page = Uri.tryParse(request.url);
    // The cashier, and the pages of a payment, which take its place and lead back to it.
    if (page == null || page.isScheme('https') || request.url == 'about:blank') return NavigationDecision.navigate;
    if (request.isMainFrame && _appSchemes.contains(page.scheme)) {
      launchUrl(page, mode: LaunchMode.externalApplication);
    }
    return NavigationDecision.prevent;
  }

  /// The page itself compares its origin, so that nothing is given to a page that came meanwhile.
  Future<void> _run(String statement) =>
      _view.runJavaScript('if (location.origin === ${jsonEncode(widget.cashier.origin)}) { $statement }');

  /// The page's own window is the one that it listens to in an app.
  Future<void> _say(String messageType, Map<String, Object?> payload) =>
      _run('window.postMessage(${jsonEncode({'messageType': messageType, 'payload': payload})}, location.origin)');

  Map<String, Object?> get _full => {
        ...widget.payload,
        'platform': Platform.isIOS ? 'ios' : 'android',
        'isMobileApp': true,
        'nativeActions': ['copy'],
        'token': _token,
      };

  Future<void> _receive(JavaScriptMessage message) async {
    // A channel does not say who spoke: the address of the page is the only witness. Then the shape.
    if (!_isCashier(Uri.tryParse(await _view.currentUrl() ?? ''))) return;
    final said = _parse(message.message);
    final detail = said?['payload'];
    final payload = detail is Map<String, Object?> ? detail : const <String, Object?>{};
    switch (said?['messageType']) {
      case 'Loaded':
        await _run('window.cashierPayload = ${jsonEncode(_full)}');
      case 'token-expired':
        await _renew();
      case 'copy':
        await Clipboard.setData(ClipboardData(text: '${payload['text']}'));
      case 'transaction':
        widget.onTransaction?.call(payload);
      case 'init':
        if (payload['success'] != true) widget.onProblem?.call('init', '${payload['error']}');
      case 'error':
        widget.onProblem?.call('${payload['code']}', '${payload['message']}');
      case 'close':
        widget.onClose();
    }
  }

  Future<void> _renew() async {
    try {
      _token = await widget.getToken();
    } catch (_) {
      widget.onProblem?.call('token-failed', 'No fresh user token.');
      return;
    }
    await _say('loaded', _full);
  }

  Map<String, Object?>? _parse(String json) {
    if (json.length > _longestMessage) return null;
    try {
      final value = jsonDecode(json);
      return value is Map<String, Object?> ? value : null;
    } on FormatException {
      return null; // Not a message of ours.
    }
  }

  Future<void> _back() async {
    if (await _view.canGoBack()) {
      await _view.goBack();
    } else {
      await _say('close', const {});
    }
  }

  @override
  Widget build(BuildContext context) => PopScope(
        canPop: false,
        onPopInvokedWithResult: (didPop, _) {
          if (!didPop) _back();
        },
        child: Column(children: [
          // Links that want a window of their own come here as well: the plugin cannot tell them apart. So the page is named,
          // and there is a way back.
          if (_elsewhere case final host?)
            ListTile(title: Text(host), trailing: IconButton(icon: const Icon(Icons.close), onPressed: _start)),
          Expanded(child: WebViewWidget(controller: _view)),
        ]),
      );
}
