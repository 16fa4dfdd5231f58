/** The steps of a payment on a provider's page (DEP-13). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'instruction',
  cardViewTypes: [],
  entry: 'redirect/:method/instruction',
  fixedPrice: true,
  routes: [{ path: 'redirect/:method/instruction', screen: () => import('./instruction-screen.tsx') }],
};
