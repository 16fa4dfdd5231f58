/** The sweepstake's part of the API for backends of operators: boxes on sale, coins given, and what was played. */
import { boxIdSchema } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Coin } from '@opencashier/core/sweepstake/coins';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { readRequest as read } from '../requests/invalid-request.ts';
import { minorOf } from '../sweepstake/box-schemas.ts';
import { BoxTakenError, boxesOf, operatorView, putBox } from '../sweepstake/box-store.ts';
import type { CoinState } from '../sweepstake/coin-balances.ts';
import { grantCoins, reportPlay } from '../sweepstake/coin-moves.ts';
import { boxRequestSchema, grantRequestSchema, playRequestSchema } from './sweepstake-schemas.ts';

/** @param scope whose requests are authenticated and carry their operator */
export function registerSweepstakeRoutes(
  scope: FastifyInstance,
  database: Database,
  userIdSchema: v.GenericSchema<unknown, string>,
): void {
  const userSchema = v.strictObject({ userId: userIdSchema });
  const boxSchema = v.strictObject({ boxId: boxIdSchema });

  scope.get('/sweepstake/boxes', async ({ operatorId = '' }, reply) => {
    const rows = await boxesOf(database, operatorId);
    return reply.header('cache-control', 'no-store').send({ boxes: rows.map(operatorView) });
  });

  scope.put('/sweepstake/boxes/:boxId', async ({ operatorId = '', params, body }, reply) => {
    const { boxId } = read(boxSchema, params);
    const terms = read(boxRequestSchema, body);
    try {
      return await reply.send(operatorView(await putBox(database, operatorId, boxId, terms)));
    } catch (error) {
      if (!(error instanceof BoxTakenError)) throw error;
      throw new DomainError('state-conflict', error.message, {}, { cause: error });
    }
  });

  scope.post('/users/:userId/coin-grants', async ({ operatorId = '', params, body }, reply) => {
    const { userId } = read(userSchema, params);
    const { grantId, currency: coin, amount, note } = read(grantRequestSchema, body);
    const grant = { operatorId, userId, coin, grantId, amount: minorOf(amount, coin), note };
    return reply.send(view(coin, await grantCoins(database, grant)));
  });

  scope.post('/users/:userId/plays', async ({ operatorId = '', params, body }, reply) => {
    const { userId } = read(userSchema, params);
    const { playId, currency: coin, staked, won } = read(playRequestSchema, body);
    const play = { operatorId, userId, coin, playId, staked: minorOf(staked, coin), won: minorOf(won, coin) };
    return reply.send(view(coin, await reportPlay(database, play)));
  });
}

function view(currency: Coin, { balance, unplayed, redeemable }: CoinState): Record<string, string> {
  const write = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
  return { currency, balance: write(balance), unplayed: write(unplayed), redeemable: write(redeemable) };
}
