/** The flow's screens where coins are the balance itself (CRY-3): a second door, for the one product that hangs them elsewhere. */
import type { LoadScreen } from '../../kit/product.ts';

export const coinList: LoadScreen = () => import('./coin-list-screen.tsx');
export const balanceAddress: LoadScreen = async () => ({
  Screen: (await import('./address-screen.tsx')).BalanceScreen,
});
