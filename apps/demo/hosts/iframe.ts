/** Reference host: the cashier in an iframe of your page. */
import { createCashier } from '@opencashier/embed';
import { note, signedInVisitor } from './signed-in.ts';

const { site, user, getToken } = await signedInVisitor();
const cashier = createCashier({
  cashierUrl: site.cashierUrl,
  partner: site.partner,
  container: '#cashier',
  payload: { userId: user.id, currency: user.currency, paymentGeo: user.country, platform: 'iframe' },
  getToken,
  // Hints for the page. The balance changes on the signed webhook, which your backend gets.
  onTransaction: (detail) => note('transaction', detail),
  onError: (detail) => note('error', detail),
  onClose: () => note('close', {}),
});
cashier.on('init', (detail) => note('init', detail));
