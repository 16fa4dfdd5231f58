/** The calls about the accounts that a user has saved. */
import { payoutAccountRemove, payoutAccountsGet } from '@opencashier/contract/api';
import { listPayoutAccounts, removePayoutAccount } from '../../payout-accounts/payout-accounts.ts';
import { answer } from '../handler/call.ts';

/** What this user has kept; nobody else's is ever read. */
export const payoutAccountsGetHandler = answer(
  payoutAccountsGet,
  async (request, { caller }, { database, dataKeys }) => ({
    accounts: await listPayoutAccounts(database, dataKeys, caller, request.paymentMethod),
  }),
);

/** Deletes for good. A repeat, or an account of somebody else, changes nothing. */
export const payoutAccountRemoveHandler = answer(
  payoutAccountRemove,
  async ({ accountId }, { caller }, { database }) => {
    await removePayoutAccount(database, caller, accountId);
    return { accountId };
  },
);
