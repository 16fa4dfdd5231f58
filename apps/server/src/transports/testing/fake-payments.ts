/** Payments in memory, for tests of the transports. Other tests prove the rules of money. */
import type { DepositResponse, Transaction } from '@opencashier/contract/api';
import type { CreateDeposit, Payments } from '../../deposits/payments.ts';
import { DomainError } from '../../errors/domain-error.ts';

export interface FakePayments extends Payments {
  /** Every command that was received. */
  readonly created: CreateDeposit[];
  /** Runs instead of `createDeposit`. */
  onCreate: ((command: CreateDeposit) => Promise<DepositResponse>) | undefined;
}

export function createFakePayments(): FakePayments {
  const deposits = new Map<string, Transaction>();
  const find = (depositId: string): Transaction => {
    const found = deposits.get(depositId);
    if (!found) throw new DomainError('not-found', 'No such deposit.');
    return found;
  };
  const payments: FakePayments = {
    created: [],
    onCreate: undefined,
    async createDeposit(command) {
      payments.created.push(command);
      if (payments.onCreate) return payments.onCreate(command);
      const { depositId, paymentType, amount, currency } = command.request;
      const created = '2026-01-01T00:00:00.000Z';
      deposits.set(depositId, {
        depositId,
        paymentMethod: paymentType,
        status: 0,
        amount,
        currency,
        created,
        serverTime: created,
      });
      return { apiResponse: { depositId, source: 'https://pay.example/1', method: 'GET' } };
    },
    depositStatus: async (_caller, depositId) => find(depositId),
    cancelDeposit: async (_caller, depositId) => {
      const transaction = deposits.get(depositId);
      return transaction ? { isCancelled: false, transaction } : { isCancelled: true };
    },
    completeDeposit: async (_caller, depositId) => find(depositId),
    continueDeposit: async () => ({ error: 'offer-expired' }),
    openDeposit: async (_caller, paymentMethod) =>
      [...deposits.values()].find((deposit) => deposit.paymentMethod === paymentMethod),
    apply: async () => ({ outcome: 'unmatched' }),
  };
  return payments;
}
