/** A deposit by card or wallet that continues on the provider's page (DEP-4). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'redirect',
  // default, card, cardWalletOnly and cardMultipleType. All other types that no flow claims open it too.
  cardViewTypes: [0, 1, 2, 4],
  entry: 'redirect/:method',
  fixedPrice: true,
  routes: [
    { path: 'redirect/:method?', screen: () => import('./redirect-screen.tsx') },
    { path: 'group/:group/redirect/:method?', screen: () => import('./redirect-screen.tsx') },
  ],
};
