/** Reference host: the cashier in a progressive web app. The page works without a line, the cashier never pretends to. */
import { createCashier } from '@opencashier/embed';
import { find } from '../../src/page/elements.ts';
import { note, signedInVisitor } from '../signed-in.ts';

const open = find('open', HTMLButtonElement);
const line = find('line', HTMLElement);
// `updateViaCache: 'none'`: a worker with a mistake in it must not be kept by the browser's own cache.
void navigator.serviceWorker?.register('/hosts/pwa/service-worker.js', {
  scope: '/hosts/pwa/',
  updateViaCache: 'none',
});

try {
  const { site, user, getToken } = await signedInVisitor();
  const cashier = createCashier({
    cashierUrl: site.cashierUrl,
    partner: site.partner,
    mode: 'modal',
    payload: { userId: user.id, currency: user.currency, paymentGeo: user.country, platform: 'pwa', pwa: true },
    getToken,
    onTransaction: (detail) => note('transaction', detail),
    onClose: () => note('close', {}),
  });
  cashier.on('init', (detail) => note('init', detail));
  open.onclick = () => cashier.open();
  open.disabled = false;
} catch {
  line.textContent = 'You are offline. The cashier needs a line.';
}
