/** The flow's screens for the product whose balance is in coins (CRY-3). That product puts them at other paths. */
import { createElement } from 'react';
import type { LoadScreen } from '../../kit/session/product.ts';

export const coinList: LoadScreen = () => import('./coin-list-screen.tsx');

/** The address with a smaller code (CRY-1: 100 px). */
export const balanceAddress: LoadScreen = async () => {
  const { Screen } = await import('./address-screen.tsx');
  // biome-ignore lint/correctness/noComponentHookFactories: made once, when its file is loaded
  return { Screen: (props) => createElement(Screen, { ...props, codeSize: 'small' }) };
};
