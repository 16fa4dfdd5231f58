/** A deposit of coins to an address of its own (CRY-1, CRY-2, CRY-5). */
import type { Flow } from '../../kit/session/product.ts';
import { coins } from './coins.ts';

export const flow: Flow = {
  name: 'crypto-address',
  // Coins have no view type of their own in §9: their category tells them from the others.
  cardViewTypes: [],
  category: coins,
  group: { name: coins, path: 'crypto' },
  entry: 'crypto/:method',
  answers: { address: 'crypto/:method' },
  fixedPrice: true,
  routes: [
    { path: 'crypto', title: 'title.depositMethod', screen: () => import('./coin-list-screen.tsx') },
    { path: 'crypto/:method', title: 'title.deposit', screen: () => import('./address-screen.tsx') },
  ],
};
