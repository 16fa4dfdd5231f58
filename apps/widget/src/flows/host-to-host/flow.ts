/**
 * A transfer to a card or an account of the provider (DEP-12). The redirect flow asks for the amount, and its answer leads here.
 */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'host-to-host',
  cardViewTypes: [],
  entry: 'redirect/:method',
  answers: { 'host-to-host': 'host-to-host/:method' },
  fixedPrice: true,
  routes: [{ path: 'host-to-host/:method?', screen: () => import('./host-to-host-screen.tsx') }],
};
