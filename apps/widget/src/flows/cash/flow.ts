/** Cash: agents who take it, each with a contact (DEP-13). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'cash',
  cardViewTypes: [20],
  entry: 'cash/:method',
  routes: [
    { path: 'cash/:method?', screen: () => import('./cash-screen.tsx') },
    { path: 'cash/:method/agents', screen: () => import('./agents-screen.tsx') },
  ],
};
