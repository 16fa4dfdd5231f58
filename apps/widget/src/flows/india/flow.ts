/** UPI (DEP-10): an amount, then links to apps on this phone, a code for another phone, and an id to type. */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'india',
  cardViewTypes: [3],
  entry: 'india/:method',
  fixedPrice: true,
  routes: [
    { path: 'india/:method?', screen: () => import('./base-screen.tsx') },
    { path: 'india/:method/invoice', screen: () => import('./invoice-screen.tsx') },
  ],
};
