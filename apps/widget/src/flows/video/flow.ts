/** The visual guide of a method: its video inside the widget where the operator allows the site, else a link (DEP-13). */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'video',
  cardViewTypes: [],
  entry: 'video-instruction',
  fixedPrice: true,
  routes: [
    {
      path: 'video-instruction',
      title: 'title.deposit',
      step: 'step.videoGuide',
      screen: () => import('./video-screen.tsx'),
    },
  ],
};
