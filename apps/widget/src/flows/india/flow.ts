/** UPI: an amount, then the applications on this phone, the code for another one, and the id for everybody else (DEP-10). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'india',
  cardViewTypes: [3],
  entry: 'india/:method',
  fixedPrice: true,
  routes: [
    { path: 'india/:method?', title: 'title.deposit', screen: () => import('./base-screen.tsx') },
    { path: 'india/:method/invoice', title: 'title.deposit', screen: () => import('./invoice-screen.tsx') },
  ],
};
