import type { ScreenProps } from '../../kit/product.ts';
import { UnfinishedWithdrawal } from '../../kit/withdrawal/unfinished-withdrawal.tsx';
import { Screen as MethodList } from '../method-list/method-list.tsx';

/** Which way to withdraw, and the withdrawal that was begun and not confirmed. */
export function Screen(props: ScreenProps) {
  return (
    <>
      <MethodList {...props} />
      <UnfinishedWithdrawal />
    </>
  );
}
