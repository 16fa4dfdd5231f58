/** Whom to pay, how and until when, as the provider's answer says it (DEP-5). Its form is the redirect flow's. */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'unified-form',
  // No card opens it: it follows whatever answer asks for it.
  cardViewTypes: [],
  entry: 'redirect/:method',
  answers: { 'unified-form': 'redirect/:method/unified-form' },
  fixedPrice: true,
  routes: [
    {
      path: 'redirect/:method/unified-form',
      title: 'title.deposit',
      screen: () => import('./unified-form-screen.tsx'),
    },
  ],
};
