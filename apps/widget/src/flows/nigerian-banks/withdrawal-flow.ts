/** A withdrawal to a Nigerian bank: first the bank, then an account number at this bank (WD-1). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'nigerian-banks',
  cardViewTypes: [],
  category: 'nigerian_banks',
  entry: 'nigerian-banks/:method',
  routes: [
    {
      path: 'nigerian-banks/:method?',
      step: 'nigerianBanks.choose',
      screen: () => import('./bank-screen.tsx'),
    },
    {
      path: 'nigerian-banks/:method/account',
      screen: () => import('./account-screen.tsx'),
    },
  ],
};
