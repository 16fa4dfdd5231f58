/** The flow's screens where coins are the balance itself (CRY-3): a second door, for the one product that hangs them elsewhere. */
import { createElement } from 'react';
import type { LoadScreen } from '../../kit/session/product.ts';

export const coinList: LoadScreen = () => import('./coin-list-screen.tsx');

/** The address with a smaller code (CRY-1: 100 px). */
export const balanceAddress: LoadScreen = async () => {
  const { Screen } = await import('./address-screen.tsx');
  // biome-ignore lint/correctness/noComponentHookFactories: made once, when its file is there
  return { Screen: (props) => createElement(Screen, { ...props, codeSize: 'small' }) };
};
