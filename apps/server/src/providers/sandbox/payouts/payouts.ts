/** The sandbox company's half that pays out: the calls of the cashier about a withdrawal. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../../../database/database.ts';
import type { WithdrawalProvider } from '../../withdrawal-provider.ts';
import { hang } from '../payments/hang.ts';
import { textsOf } from '../words/texts.ts';
import { openPayout, payoutReport, readPayoutCallback } from './payout.ts';
import { causeOfReason, payoutScenarioNamed, payoutScenarioOf } from './payout-scenarios.ts';
import { createPayoutStore } from './payout-store.ts';

/** @param wake called when new callbacks wait to be sent */
export function createPayouts({
  database,
  clock,
  wake,
  account,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly wake: () => void;
  /** The connection of an operator. Absent: the account in the settings of the server. */
  readonly account?: string;
}): WithdrawalProvider {
  const store = createPayoutStore(database, account);
  return {
    async withdraw(withdrawal) {
      const { answer } = payoutScenarioOf(withdrawal.amountMinor);
      if (answer.kind === 'fail') return { kind: 'failed', code: answer.code };
      const opened = openPayout(withdrawal, clock.now());
      const { payout, isNew } = await store.create(opened.payout, opened.callbacks);
      if (payout.receivesMinor !== withdrawal.receivesMinor || payout.currency !== withdrawal.currency) {
        return { kind: 'unknown', code: 'idempotency-conflict' };
      }
      wake();
      if (answer.kind === 'decline') {
        const { code, message } = answer;
        const cause = causeOfReason(code);
        return {
          kind: 'declined',
          code,
          ...(cause !== undefined && { cause }),
          ...(message !== undefined && { message: textsOf(withdrawal.language).say(message) }),
        };
      }
      if (answer.kind === 'hang' && (isNew || answer.isUnreachableAfter)) {
        await hang(clock, withdrawal.signal);
        return { kind: 'unknown', code: 'timeout' };
      }
      return { kind: 'accepted', providerRef: payout.ref };
    },
    async inquire({ withdrawalId }) {
      const payout = await store.find(withdrawalId);
      if (payout === undefined) return undefined;
      const { answer } = payoutScenarioNamed(payout.scenario);
      if (answer.kind === 'hang' && answer.isUnreachableAfter) {
        throw new Error(`The sandbox does not answer about withdrawal ${withdrawalId}`);
      }
      return payoutReport(payout, clock.now());
    },
    read: readPayoutCallback,
  };
}
