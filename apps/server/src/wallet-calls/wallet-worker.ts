/** Asks operators' wallets, and repeats each call until its outcome is known. There is no last try (SRV-2). */
import { WALLET_TRIES_BEFORE_ALERT } from '@opencashier/core/operator-wallet/wallet-effects';
import type { DueWork } from '../jobs/due-worker.ts';
import { dueByLane, placesTaken } from '../jobs/lanes.ts';
import {
  planWalletTry,
  WALLET_LEASE_S,
  type WalletCallKey,
  type WalletCallRow,
  walletCallColumns,
} from '../operator-wallet/wallet-store.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { createPlaces } from '../signed-questions/operator-places.ts';
import { askOnce, bodyOf, type WalletPorts } from './ask-wallet.ts';
import { settleCall } from './settle-call.ts';
import type { WalletBalances } from './wallet-balance.ts';

/** Calls to one wallet at a time, per node. */
const PLACES_PER_OPERATOR = 8;

/** Users of one operator who may wait for its wallet at a time, per node. */
const WAITING_PER_OPERATOR = 64;

type WalletCore = Pick<
  PaymentsCore,
  'database' | 'providers' | 'connections' | 'secret' | 'logger' | 'failpoint' | 'onChange' | 'clock'
>;

interface MovingPorts extends WalletPorts {
  readonly balances: Pick<WalletBalances, 'forget'>;
}

interface ClaimedCall extends WalletCallRow {
  /** How often the call was sent before. */
  readonly tries: number;
}

/** The calls of a payment are asked one after the other: a chargeback's debit waits until the credit of the deposit is known. */
const isFirstOfPayment = (queued: string): string => `not exists (select 1 from operator_wallet_queue earlier
  where earlier.operator_id = ${queued}.operator_id and earlier.payment_id = ${queued}.payment_id
    and earlier.call_id < ${queued}.call_id)`;

const due = dueByLane({
  table: 'operator_wallet_queue',
  column: 'operator_id',
  waiting: 'true',
  due: `due_at <= now() and ${isFirstOfPayment('operator_wallet_queue')}`,
  order: 'due_at',
  key: 'operator_id, call_id',
});

/** Background work that asks wallets about all calls that are due. */
export function askWallets(core: WalletCore, ports: MovingPorts): DueWork<ClaimedCall> {
  return {
    name: 'wallet-calls',
    idleMs: 1000,
    isContinuous: true,
    claim(inHand) {
      const taken = placesTaken(inHand.map(({ operatorId }) => operatorId));
      return core.database.query<ClaimedCall>({
        name: 'wallet-claim',
        text: `with claimed as (
            update operator_wallet_queue queued set due_at = now() + make_interval(secs => $4)
            where (operator_id, call_id) in (${due}) returning queued.operator_id, queued.call_id, queued.tries
          ) select ${walletCallColumns}, claimed.tries from claimed
            join operator_wallet_call asked on asked.operator_id = claimed.operator_id and asked.id = claimed.call_id`,
        values: [PLACES_PER_OPERATOR, taken.names, taken.counts, WALLET_LEASE_S],
      });
    },
    async handle(call, signal) {
      core.failpoint?.('wallet-claimed');
      await askAndSettle(core, ports, call, signal);
    },
  };
}

/**
 * Asks about calls that this node has leased when it stored them, while their users wait. If too many users of one operator wait, because
 * its wallet is slow, the worker asks instead. It also asks about a call that must wait for an earlier one of its payment.
 */
export function createAskNow(core: WalletCore, ports: MovingPorts): (call: WalletCallKey) => Promise<void> {
  const inPlace = createPlaces(WAITING_PER_OPERATOR);
  return async ({ operatorId, id }) => {
    await inPlace(operatorId, async () => {
      const [call] = await core.database.query<ClaimedCall>({
        name: 'wallet-call-now',
        text: `select ${walletCallColumns}, queued.tries from operator_wallet_queue queued
          join operator_wallet_call asked on asked.operator_id = queued.operator_id and asked.id = queued.call_id
          where queued.operator_id = $1 and queued.call_id = $2 and ${isFirstOfPayment('queued')}`,
        values: [operatorId, id],
      });
      if (call !== undefined) await askAndSettle(core, ports, call, new AbortController().signal);
    });
  };
}

async function askAndSettle(
  core: WalletCore,
  ports: MovingPorts,
  call: ClaimedCall,
  signal: AbortSignal,
): Promise<void> {
  const { meaning, pausedS } = await askOnce(ports, { asked: call, body: bodyOf(call) }, signal);
  core.failpoint?.('wallet-answered');
  if (meaning.kind === 'unknown') {
    await tryLater(core, call, meaning.why, pausedS);
    return;
  }
  ports.balances.forget(call);
  await settleCall(core, call, meaning);
  core.failpoint?.('wallet-booked');
  core.onChange();
}

/** Plans the next try. A call that was not sent, because its wallet is paused, is no try: neither counted nor reported. */
async function tryLater(core: WalletCore, call: ClaimedCall, why: string, pausedS: number): Promise<void> {
  const isSent = pausedS === 0;
  const tries = call.tries + (isSent ? 1 : 0);
  await planWalletTry(core.database, call, { why, tries, atLeastS: pausedS });
  if (!isSent || tries < WALLET_TRIES_BEFORE_ALERT) return;
  const { operatorId: operator, id, type } = call;
  core.logger.error({ operator, call: id, type, tries, why }, 'the outcome of a call to a wallet is still unknown');
}
