import { payoutAccountRemove } from '@opencashier/contract/api';
import { removePayoutAccount } from '../../payout-accounts/payout-accounts.ts';
import { answer } from '../handler/call.ts';

/** Deletes for good. A repeat, or an account of somebody else, changes nothing. */
export const payoutAccountRemoveHandler = answer(
  payoutAccountRemove,
  async ({ accountId }, { caller }, { database }) => {
    await removePayoutAccount(database, caller, accountId);
    return { accountId };
  },
);
