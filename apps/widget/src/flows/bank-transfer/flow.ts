/** A transfer to the company's bank account, in euros with the code that banking applications read (EPC069-12). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'bank-transfer',
  cardViewTypes: [9],
  // The redirect flow asks for the amount. The answer to its create leads here.
  entry: 'redirect/:method',
  answers: { 'bank-transfer': 'redirect/:method/bank-transfer' },
  fixedPrice: true,
  routes: [
    {
      path: 'redirect/:method/bank-transfer',
      screen: () => import('./bank-transfer-screen.tsx'),
    },
  ],
};
