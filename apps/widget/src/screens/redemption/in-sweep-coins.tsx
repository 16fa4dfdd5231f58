import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { RouteDefinition, Screen, ScreenProps } from '../../kit/session/product.ts';
import { SessionScope } from '../../kit/session/session-scope.tsx';
import { Offered } from '../box-order/offered.tsx';

/** A screen of withdrawals for sweep coins (SWP-2), with the texts of a redemption. Gold coins can never be redeemed. */
export function inSweepCoins(Inner: Screen, needs?: RouteDefinition['needs']): Screen {
  return function InSweepCoins(props: ScreenProps) {
    return (
      <SessionScope currency={SWEEP_COIN} words="redemption">
        {needs === undefined ? (
          <Inner {...props} />
        ) : (
          <Offered needs={needs} name={props.params[needs]} elsewhere="">
            <Inner {...props} />
          </Offered>
        )}
      </SessionScope>
    );
  };
}
