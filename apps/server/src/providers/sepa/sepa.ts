/**
 * Pays out by SEPA credit transfer (WD-2). `withdraw` only stores the transfer. Files are built of it later, and the answers of the bank are
 * read there, too (`payout-files`). `inquire` reports what is stored, so a report waits for no callback.
 */
import { ibanError } from '@opencashier/core/fields/iban';
import { LONGEST_NAME } from '@opencashier/core/sepa/credit-transfer-file';
import { endToEndIdOf } from '@opencashier/core/sepa/payment-references';
import { sepaText } from '@opencashier/core/sepa/sepa-text';
import type { Database } from '../../database/database.ts';
import type { DataKeys } from '../../sealing/data-keys.ts';
import type { OpenAccount } from '../connection-kind.ts';
import { type FiledTransfer, reportOfTransfer } from '../filed-transfer.ts';
import type { Provider } from '../provider.ts';
import type { ProviderWithdrawal, ProviderWithdrawResult } from '../withdrawal-provider.ts';
import { type SepaAccount, sepaAccountOf } from './sepa-account.ts';
import { createTransferStore } from './transfer-store.ts';

export const SEPA = 'sepa';

/** Makes a provider of an operator's account. */
export function openSepaAccount(database: Database, keys: DataKeys): OpenAccount {
  return (account) => {
    const store = createTransferStore(database, keys, account);
    const settings = sepaAccountOf(account);
    const provider: Provider = {
      name: SEPA,
      // SEPA transfers only pay out.
      create: async () => ({ kind: 'failed', code: 'no-deposits' }),
      inquire: async () => undefined,
      verify: () => ({ kind: 'rejected', reason: 'no-callbacks' }),
      read: () => undefined,
      withdrawals: {
        async withdraw(withdrawal) {
          const known = await store.find(withdrawal.withdrawalId);
          if (known !== undefined) return answerOf(known, withdrawal);
          const refusal = refusalOf(withdrawal, settings);
          if (refusal !== undefined || settings === undefined) return refusal ?? { kind: 'failed', code: 'no-account' };
          const { withdrawalId, currency, receivesMinor: amount, fields } = withdrawal;
          const { batchMinutes } = settings;
          const payee = { name: fields['fullName'] ?? '', iban: fields['iban'] ?? '' };
          return answerOf(await store.queue({ withdrawalId, currency, amount, payee, batchMinutes }), withdrawal);
        },
        async inquire({ withdrawalId }) {
          const transfer = await store.find(withdrawalId);
          return transfer && reportOfTransfer(SEPA, transfer);
        },
        read: () => undefined,
      },
    };
    return provider;
  };
}

function answerOf(known: FiledTransfer, { receivesMinor, currency }: ProviderWithdrawal): ProviderWithdrawResult {
  // One id pays one amount. The stored transfer may have left for the bank.
  if (known.amount !== receivesMinor || known.currency !== currency) return { kind: 'unknown', code: 'other-amount' };
  return { kind: 'accepted', providerRef: endToEndIdOf(known.withdrawalId) };
}

/** Nothing is stored for this withdrawal, so a refusal is certain. */
function refusalOf(
  { currency, receivesMinor, fields }: ProviderWithdrawal,
  settings: SepaAccount | undefined,
): ProviderWithdrawResult | undefined {
  if (settings === undefined) return { kind: 'failed', code: 'account-incomplete' };
  if (currency !== 'EUR') return { kind: 'declined', code: 'not-euro' };
  if (receivesMinor > settings.transferLimit) return { kind: 'declined', code: 'over-limit', cause: 'limit' };
  if (ibanError(fields['iban'] ?? '', true) !== undefined)
    return { kind: 'declined', code: 'iban', cause: 'account-details' };
  if (sepaText(fields['fullName'] ?? '', LONGEST_NAME) === undefined)
    return { kind: 'declined', code: 'name', cause: 'account-details' };
  return undefined;
}
