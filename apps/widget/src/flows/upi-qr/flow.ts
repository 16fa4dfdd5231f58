/** A UPI code on a page of the widget (DEP-6). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'upi-qr',
  cardViewTypes: [],
  // The redirect flow asks for the amount. The answer to its create leads here.
  entry: 'redirect/:method',
  answers: { 'page:upi-qr': 'redirect/:method/upi-qr' },
  fixedPrice: true,
  routes: [{ path: 'redirect/:method/upi-qr', screen: () => import('./upi-qr-screen.tsx') }],
};
