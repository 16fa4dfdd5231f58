/** A deposit of coins, each to its own address (CRY-1, CRY-2, CRY-5). */
import type { Flow } from '../../kit/session/product.ts';
import { coins } from './coins.ts';

export const flow: Flow = {
  name: 'crypto-address',
  // Coins have no view type in §9, so their category selects this flow.
  cardViewTypes: [],
  category: coins,
  group: { name: coins, path: 'crypto' },
  entry: 'crypto/:method',
  answers: { address: 'crypto/:method' },
  fixedPrice: true,
  routes: [
    { path: 'crypto', title: 'title.depositMethod', screen: () => import('./coin-list-screen.tsx') },
    { path: 'crypto/:method', screen: () => import('./address-screen.tsx') },
  ],
};
