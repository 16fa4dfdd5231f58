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
  /** A payment has moved. A hint: credit on the signed webhook alone. */
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

  useBackButton(() => (place.canGoBack ? view.current?.goBack() : close()));

  const receive = ({ nativeEvent }: WebViewMessageEvent) => {
    // Origin, then shape. The address is the web view's own word, not the page's.
    if (!isAt(nativeEvent.url) || nativeEvent.data.length > longestMessage) return;
    const said = parse(nativeEvent.data);
    switch (said?.messageType) {
      case 'Loaded':
        run(`window.cashierPayload = ${JSON.stringify(full())}`);
        break;
      case 'token-expired':
        getToken().then(
          (fresh) => {
            token.current = fresh;
            say({ messageType: 'loaded', payload: full() });
          },
          () => onProblem?.('token-failed', 'No fresh user token.'),
        );
        break;
      case 'close':
        onClose();
        break;
      default:
        if (said) void passOn(said, { onTransaction, onProblem });
    }
  };

  if (!isReady) return null;
  return (
    <View style={{ flex: 1 }}>
      {!isAt(place.url) && <Text>{place.url.split('/')[2]}</Text>}
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
          if (isTopFrame !== false && !url.startsWith('http:')) openOutside(url, onProblem);
          return false;
        }}
        // A link that wants a window of its own: help, an explorer, an agent's chat.
        onOpenWindow={({ nativeEvent }) => openOutside(nativeEvent.targetUrl, onProblem)}
        injectedJavaScriptBeforeContentLoaded={`if (location.origin === ${JSON.stringify(cashier)}) {
          window.cashierBridge = (json) => window.ReactNativeWebView.postMessage(json);
        } true;`}
        onMessage={receive}
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

/** Android's back button stays within the cashier. */
function useBackButton(goBack: () => void) {
  const latest = useRef(goBack);
  useEffect(() => {
    latest.current = goBack;
  });
  useEffect(() => {
    const pressed = BackHandler.addEventListener('hardwareBackPress', () => {
      latest.current();
      return true;
    });
    return () => pressed.remove();
  }, []);
}

/** Hands an address to the system, where another app or the browser opens it. */
function openOutside(url: string, onProblem: CashierProps['onProblem']) {
  if (url.startsWith('https://') || appSchemes.includes(url.split(':')[0] ?? '')) {
    Linking.openURL(url).catch(() => onProblem?.('no-app', 'No app opens this address.'));
  }
}

interface Said {
  messageType: string;
  payload: Record<string, unknown>;
}

/** Passes on what the page says about payments, and opens the system's share sheet. */
async function passOn({ messageType, payload }: Said, { onTransaction, onProblem }: Partial<CashierProps>) {
  switch (messageType) {
    case 'share':
      await Share.share({ message: String(payload['text']) });
      break;
    case 'transaction':
      onTransaction?.(payload as { event: string });
      break;
    case 'init':
      if (payload['success'] !== true) onProblem?.('init', String(payload['error']));
      break;
    case 'error':
      onProblem?.(String(payload['code']), String(payload['message']));
      break;
  }
}

function parse(json: string): Said | undefined {
  try {
    const { messageType, payload } = JSON.parse(json) as { messageType?: unknown; payload?: Record<string, unknown> };
    return typeof messageType === 'string' ? { messageType, payload: payload ?? {} } : undefined;
  } catch {
    return undefined; // Not a message of ours.
  }
}
