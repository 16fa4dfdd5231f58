/** The details of a manual payment from the provider's answer (DEP-5). The redirect flow has the form. */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'unified-form',
  // No card opens this flow. An answer to a create leads here.
  cardViewTypes: [],
  entry: 'redirect/:method',
  answers: { 'unified-form': 'redirect/:method/unified-form' },
  fixedPrice: true,
  routes: [
    {
      path: 'redirect/:method/unified-form',
      screen: () => import('./unified-form-screen.tsx'),
    },
  ],
};
