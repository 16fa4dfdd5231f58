/** Reference host: the cashier in a window of its own. Without the SDK, to show the whole protocol. */
import { find } from '../src/page/elements.ts';
import { note, signedInVisitor } from './signed-in.ts';

/** Both ways; docs/reference/host-protocol.md lists them. */
interface Message {
  readonly messageType: string;
  readonly payload: object;
}

const { site, user, getToken } = await signedInVisitor();
const cashierOrigin = new URL(site.cashierUrl).origin;
let popup: Window | null = null;

const open = find('open', HTMLButtonElement);
open.disabled = false;
open.onclick = () => {
  // In the tap itself, or the browser blocks it. The address holds nothing secret: it ends up in histories and logs.
  const address = `${site.cashierUrl}/cashier/deposit?${new URLSearchParams({ partner: site.partner })}`;
  popup = window.open(address, 'cashier', 'popup,width=440,height=800');
};

window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
  // Source, then origin, then shape: other windows post here, too.
  if (popup === null || source !== popup || origin !== cashierOrigin || !isMessage(data)) return;
  switch (data.messageType) {
    case 'Loaded':
    case 'token-expired':
      void answer();
      break;
    case 'close':
      note('close', {});
      popup.close();
      break;
    case 'init':
    case 'transaction':
    case 'error':
      note(data.messageType, data.payload);
      break;
  }
});

async function answer(): Promise<void> {
  const { id: userId, currency, country: paymentGeo } = user;
  const token = await getToken();
  // To the cashier's origin by name: whatever else the window may show by then does not get the token.
  tell({ messageType: 'loaded', payload: { token, userId, currency, paymentGeo } });
}

function tell(message: Message): void {
  popup?.postMessage(message, cashierOrigin);
}

function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && 'messageType' in data && 'payload' in data;
}
