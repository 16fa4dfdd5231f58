/** A Pix code to scan or copy (DEP-6). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'pix',
  cardViewTypes: [6],
  // The redirect flow asks for the amount. The answer to its create leads here.
  entry: 'redirect/:method',
  answers: { 'page:pix': 'redirect/:method/pix' },
  fixedPrice: true,
  routes: [{ path: 'redirect/:method/pix', screen: () => import('./pix-screen.tsx') }],
};
