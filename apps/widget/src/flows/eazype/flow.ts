/** A UPI code on a page of the widget (DEP-6). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'eazype',
  cardViewTypes: [7],
  // The redirect flow asks for the amount. The answer to its create leads here.
  entry: 'redirect/:method',
  answers: { 'page:eazype': 'redirect/:method/eazype' },
  fixedPrice: true,
  routes: [{ path: 'redirect/:method/eazype', screen: () => import('./eazype-screen.tsx') }],
};
