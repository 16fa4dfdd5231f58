import { useCallback, useEffect, useRef, useState } from 'react';
import { BackHandler, Linking, Platform, Share, Text, View } from 'react-native';
import { WebView, type WebViewMessageEvent } from 'react-native-webview';

/** Apps that a payment may be handed to. Anything else that is no web page is refused. */
const appSchemes = ['upi', 'phonepe', 'paytmmp', 'gpay', 'tez', 'bitcoin', 'ethereum', 'ton', 'tel', 'mailto'];
const longestMessage = 64 * 1024;

interface CashierProps {
  /** The cashier's origin without a slash at the end: `https://pay.example.com`. */
  cashier: string;
  partner: string;
  /** What `loaded` carries beside the token: `userId`, `currency`, `paymentGeo`, `locale` and so on. */
  payload: Record<string, unknown>;
  /** Asks your own backend for a user token. */
  getToken: () => Promise<string>;
  onClose: () => void;
  /** A payment has moved. A hint: credit on the signed web-hook alone. */
  onTransaction?: (detail: { event: string; depositId?: string; withdrawalId?: string }) => void;
  onProblem?: (code: string, message: string) => void;
}

/** The cashier as a component; take it away in `onClose`. */
export function Cashier({ cashier, partner, payload, getToken, onClose, onTransaction, onProblem }: CashierProps) {
  const view = useRef<WebView>(null);
  // In memory alone: never in an address, a log or a store.
  const token = useRef<string | undefined>(undefined);
  const [isReady, setIsReady] = useState(false);
  const [place, setPlace] = useState({ url: cashier, canGoBack: false });
  const isAt = useCallback((url: string) => url === cashier || url.startsWith(`${cashier}/`), [cashier]);
  const isHere = isAt(place.url);

  /** The page itself compares its origin, so that nothing is given to a page that came meanwhile. */
  const run = useCallback(
    (statement: string) =>
      view.current?.injectJavaScript(`if (location.origin === ${JSON.stringify(cashier)}) { ${statement} } true;`),
    [cashier],
  );
  /** The page's own window is the one that it listens to in an app. */
  const say = useCallback(
    (message: object) => run(`window.postMessage(${JSON.stringify(message)}, location.origin)`),
    [run],
  );
  const close = useCallback(() => say({ messageType: 'close', payload: {} }), [say]);
  const full = () => ({
    ...payload,
    platform: Platform.OS,
    isMobileApp: true,
    nativeActions: ['share'],
    token: token.current,
  });

  // The page waits five seconds for its payload and no longer: the token comes first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each cashier that is shown
  useEffect(() => {
    getToken().then(
      (fresh) => {
        token.current = fresh;
        setIsReady(true);
      },
      () => onProblem?.('token-failed', 'No user token.'),
    );
  }, []);

  useEffect(() => {
    const pressed = BackHandler.addEventListener('hardwareBackPress', () => {
      if (place.canGoBack) view.current?.goBack();
      else close();
      return true;
    });
    return () => pressed.remove();
  }, [place.canGoBack, close]);

  const receive = async ({ nativeEvent }: WebViewMessageEvent) => {
    // Origin, then shape. The address is the web view's own word, not the page's.
    if (!isAt(nativeEvent.url) || nativeEvent.data.length > longestMessage) return;
    const said = parse(nativeEvent.data);
    switch (said?.messageType) {
      case 'Loaded':
        run(`window.cashierPayload = ${JSON.stringify(full())}`);
        break;
      case 'token-expired':
        try {
          token.current = await getToken();
          say({ messageType: 'loaded', payload: full() });
        } catch {
          onProblem?.('token-failed', 'No fresh user token.');
        }
        break;
      case 'share':
        await Share.share({ message: String(said.payload['text']) });
        break;
      case 'transaction':
        onTransaction?.(said.payload as { event: string });
        break;
      case 'init':
        if (said.payload['success'] !== true) onProblem?.('init', String(said.payload['error']));
        break;
      case 'error':
        onProblem?.(String(said.payload['code']), String(said.payload['message']));
        break;
      case 'close':
        onClose();
        break;
    }
  };

  const open = (url: string) => {
    if (url.startsWith('https://') || appSchemes.includes(url.split(':')[0] ?? '')) {
      Linking.openURL(url).catch(() => onProblem?.('no-app', 'No app opens this address.'));
    }
  };

  if (!isReady) return null;
  return (
    <View style={{ flex: 1 }}>
      {!isHere && <Text>{place.url.split('/')[2]}</Text>}
      <WebView
        ref={view}
        // The address ends up in logs: the operator's public name and nothing about the person.
        source={{ uri: `${cashier}/cashier/deposit?partner=${encodeURIComponent(partner)}` }}
        // What is not on this list React Native hands to the system by itself, whatever it is. So everything is on it, and
        // the check below decides.
        originWhitelist={['*']}
        onShouldStartLoadWithRequest={({ url, isTopFrame }) => {
          // The cashier, and the pages of a payment, which take its place and lead back to it.
          if (url.startsWith('https://') || url === 'about:blank') return true;
          if (isTopFrame !== false && !url.startsWith('http:')) open(url);
          return false;
        }}
        // A link that wants a window of its own: help, an explorer, an agent's chat.
        onOpenWindow={({ nativeEvent }) => open(nativeEvent.targetUrl)}
        injectedJavaScriptBeforeContentLoaded={`if (location.origin === ${JSON.stringify(cashier)}) {
          window.cashierBridge = (json) => window.ReactNativeWebView.postMessage(json);
        } true;`}
        onMessage={(event) => void receive(event)}
        onNavigationStateChange={({ url, canGoBack }) => setPlace({ url, canGoBack })}
        allowFileAccess={false}
        allowsLinkPreview={false}
        mixedContentMode="never"
        javaScriptCanOpenWindowsAutomatically={false}
        onContentProcessDidTerminate={() => view.current?.reload()}
      />
    </View>
  );
}

function parse(json: string): { messageType: string; payload: Record<string, unknown> } | undefined {
  try {
    const { messageType, payload } = JSON.parse(json) as { messageType?: unknown; payload?: Record<string, unknown> };
    return typeof messageType === 'string' ? { messageType, payload: payload ?? {} } : undefined;
  } catch {
    return undefined; // Not a message of ours.
  }
}
