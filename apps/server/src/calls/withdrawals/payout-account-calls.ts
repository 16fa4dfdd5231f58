/** The calls about the accounts that a user has saved. */
import { payoutAccountRemove, payoutAccountsGet } from '@opencashier/contract/api';
import { listPayoutAccounts, removePayoutAccount } from '../../payout-accounts/payout-accounts.ts';
import { answer } from '../handler/call.ts';

/** The accounts of this user for a method: saved by the user, or the cards that paid. */
export const payoutAccountsGetHandler = answer(
  payoutAccountsGet,
  async ({ paymentMethod, currency }, { caller }, { database, dataKeys, withdrawals }) => ({
    accounts:
      (await withdrawals.cards(caller, paymentMethod, currency ?? caller.currency)) ??
      (await listPayoutAccounts(database, dataKeys, caller, paymentMethod)),
  }),
);

/** Deletes an account for good. A repeat, or the account of another user, changes nothing. */
export const payoutAccountRemoveHandler = answer(
  payoutAccountRemove,
  async ({ accountId }, { caller }, { database }) => {
    await removePayoutAccount(database, caller, accountId);
    return { accountId };
  },
);
