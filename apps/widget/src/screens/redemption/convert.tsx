import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useRedeemable } from '../../kit/sweepstake/coin-balances.ts';
import { RedeemableCard } from '../../kit/sweepstake/redeemable-card.tsx';
import { WithdrawalForm } from '../../kit/withdrawal/withdrawal-form.tsx';
import { Waiting } from '../box-order/offered.tsx';

/** The form with the sweep coins to redeem, the payout and its destination (SWP-2). */
export function Screen({ params }: ScreenProps) {
  const method = useMethod(params['method']);
  const coins = useRedeemable();
  if (!method || !coins) return <Waiting />;
  return (
    <WithdrawalForm key={method.name} method={method} available={coins.redeemable}>
      <RedeemableCard coins={coins} />
    </WithdrawalForm>
  );
}
