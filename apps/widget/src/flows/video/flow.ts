/** The visual guide of a method (DEP-13). The widget plays its video if the operator allows the site, else it shows a link. */
import type { Flow } from '../../kit/session/product.ts';

export const flow: Flow = {
  name: 'video',
  cardViewTypes: [],
  entry: 'video-instruction',
  fixedPrice: true,
  routes: [
    {
      path: 'video-instruction',
      step: 'step.videoGuide',
      screen: () => import('./video-screen.tsx'),
    },
  ],
};
