import { payoutAccountsGet } from '@opencashier/contract/api';
import { listPayoutAccounts } from '../../payout-accounts/payout-accounts.ts';
import { answer } from '../handler/call.ts';

/** What this user has kept; nobody else's is ever read. */
export const payoutAccountsGetHandler = answer(
  payoutAccountsGet,
  async (request, { caller }, { database, dataKeys }) => ({
    accounts: await listPayoutAccounts(database, dataKeys, caller, request.paymentMethod),
  }),
);
