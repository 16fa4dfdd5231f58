/** Withdrawals in memory, for tests of the transports. Other tests prove the rules of money. */
import type { WithdrawalTransaction } from '@opencashier/contract/api';
import type { Withdrawals } from '../../withdrawals/withdrawals.ts';

export function createFakeWithdrawals(): Withdrawals {
  const at = '2026-01-01T00:00:00.000Z';
  const standing = async (_caller: unknown, withdrawalId: string): Promise<WithdrawalTransaction> => ({
    withdrawalId,
    paymentMethod: 'card_withdrawal',
    status: 3,
    accountType: 'main',
    amount: '1.00',
    currency: 'INR',
    fee: '0.00',
    receives: '1.00',
    created: at,
    expires: at,
    serverTime: at,
    canCancel: false,
  });
  return {
    create: async ({ request: { withdrawalId, amount } }) => ({
      withdrawalId,
      status: 0,
      fee: '0.00',
      receives: amount,
    }),
    confirm: standing,
    sendCode: async (_caller, withdrawalId) => ({
      withdrawalId,
      confirmation: { kind: 'code', channel: 'sms', length: 6, attemptsLeft: 5, expires: at, serverTime: at },
    }),
    cancel: async (_caller, withdrawalId) => ({ withdrawalId, status: 2 }),
    status: standing,
    unconfirmed: async (caller) => ({ ...(await standing(caller, '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11')), status: 0 }),
    cards: async () => undefined,
    apply: async () => ({ outcome: 'unmatched' }),
  };
}
