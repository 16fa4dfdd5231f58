/** Buying coins from a seller: amount, offers, and the seller's own page (DEP-14). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'onramp',
  cardViewTypes: [13],
  entry: 'onramp/:method',
  answers: { offers: 'onramp/:method/offer-list' },
  routes: [
    { path: 'onramp/:method?', screen: () => import('./onramp-screen.tsx') },
    { path: 'onramp/:method/offer-list', screen: () => import('./offer-list-screen.tsx') },
  ],
};
