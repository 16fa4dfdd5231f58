/** Handlers of the sweepstake: boxes on sale, granted coins, and plays (SRV-1). */
import {
  type CoinStateView,
  grantRequestSchema,
  type operatorEndpoints,
  playRequestSchema,
} from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type Coin, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import * as v from 'valibot';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { byApi } from '../../operators/setting-history.ts';
import { readRequest } from '../../requests/invalid-request.ts';
import { boxTermsSchema, coinsSchema, minorOf } from '../../sweepstake/box-schemas.ts';
import { BoxTakenError, boxesOf, changeBox, operatorView } from '../../sweepstake/box-store.ts';
import type { CoinState } from '../../sweepstake/coin-balances.ts';
import { grantCoins, reportPlay } from '../../sweepstake/coin-moves.ts';
import type { Handlers } from '../register-endpoint.ts';

// The contract knows decimal strings; only core knows how many decimals a coin has.
const checkedGrant = v.strictObject({ ...grantRequestSchema.entries, amount: coinsSchema(SWEEP_COIN, 1n) });
const checkedPlay = v.strictObject({
  ...playRequestSchema.entries,
  staked: coinsSchema(SWEEP_COIN, 1n),
  won: coinsSchema(SWEEP_COIN, 0n),
});

export function coinHandlers(database: Database): Handlers<typeof operatorEndpoints.coins> {
  return {
    async grantCoins({ operatorId, params: { userId }, body }) {
      const { grantId, currency: coin, amount, note } = readRequest(checkedGrant, body);
      const grant = { operatorId, userId, coin, grantId, amount: minorOf(amount, coin), note };
      return viewOf(coin, await grantCoins(database, grant));
    },

    async reportPlay({ operatorId, params: { userId }, body }) {
      const { playId, currency: coin, staked, won } = readRequest(checkedPlay, body);
      const play = { operatorId, userId, coin, playId, staked: minorOf(staked, coin), won: minorOf(won, coin) };
      return viewOf(coin, await reportPlay(database, play));
    },

    async listBoxes({ operatorId }) {
      const rows = await boxesOf(database, operatorId);
      return { boxes: rows.map(operatorView) };
    },

    async putBox({ operatorId, keyId, params: { boxId }, body: { staff: by = byApi, ...body } }) {
      const terms = readRequest(boxTermsSchema, body);
      try {
        return operatorView(await changeBox(database, operatorId, boxId, { by, keyId }, terms));
      } catch (error) {
        if (!(error instanceof BoxTakenError)) throw error;
        throw new DomainError('state-conflict', error.message, {}, { cause: error });
      }
    },
  };
}

function viewOf(currency: Coin, { balance, unplayed, redeemable }: CoinState): CoinStateView {
  const write = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
  return { currency, balance: write(balance), unplayed: write(unplayed), redeemable: write(redeemable) };
}
