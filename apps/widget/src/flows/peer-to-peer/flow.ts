/** A peer-to-peer transfer: a bank, an amount, and a payee to pay within a few minutes (DEP-11). */
import type { Flow, LoadScreen } from '../../kit/session/product.ts';

const invoice: LoadScreen = () => import('./invoice-screen.tsx');

export const flow: Flow = {
  name: 'peer-to-peer',
  cardViewTypes: [5],
  entry: 'peer-to-peer/:method',
  routes: [
    { path: 'peer-to-peer/:method?', screen: () => import('./bank-screen.tsx') },
    { path: 'peer-to-peer/:method/base', screen: () => import('./base-screen.tsx') },
    { path: 'peer-to-peer/:method/invoice', screen: invoice },
    { path: 'peer-to-peer/:method/unified-form', screen: invoice },
    {
      path: 'peer-to-peer/:method/instruction',
      screen: () => import('./instruction-screen.tsx'),
    },
  ],
};
