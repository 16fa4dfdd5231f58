/** A transfer to a card or an account of the provider's (DEP-12). Its amount is asked by the redirect flow, whose answer leads here. */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'host-to-host',
  cardViewTypes: [],
  entry: 'redirect/:method',
  answers: { 'host-to-host': 'host-to-host/:method' },
  fixedPrice: true,
  routes: [
    { path: 'host-to-host/:method?', title: 'title.deposit', screen: () => import('./host-to-host-screen.tsx') },
  ],
};
