/**
 * Paystack (https://paystack.com/docs): cards, bank transfers, USSD and mobile money in Nigeria, Ghana, Kenya and South Africa, on its own
 * page. Our deposit id is the reference of the transaction.
 */
import { type CreateProvider, createHmacVerifier } from '@opencashier/provider-kit';
import { createTransaction } from './create-transaction.ts';
import { listTransactions } from './list.ts';
import { refundTransaction } from './refund.ts';
import { NAME, readWebhook, reportOfTransaction } from './reports.ts';
import { createPaystackApi } from './transactions.ts';

export const createProvider: CreateProvider = ({ secrets, settings }) => {
  // A comma between the new and the old key, while it is changed. Requests use the new one.
  const keys = (secrets.secretKey ?? '').split(',');
  const apiUrl = (settings.apiUrl ?? '').replace(/\/+$/, '');
  const api = createPaystackApi({ apiUrl, secretKey: keys[0] ?? '' });
  return {
    name: NAME,
    create: (deposit) => createTransaction(api, deposit),
    async inquire({ depositId }) {
      const transaction = await api.transaction(depositId, api.begin());
      return transaction && reportOfTransaction(transaction);
    },
    read: (rawBody) => readWebhook(api, rawBody),
    refund: (refund) => refundTransaction(api, refund),
    list: (query) => listTransactions(api, query),
    verify: createHmacVerifier({
      // Paystack signs with the secret key itself.
      secrets: keys,
      algorithm: 'sha512',
      // The signature covers the body alone, and a retry repeats it.
      parts({ headers, rawBody }) {
        const signature = headers['x-paystack-signature'];
        return signature === undefined ? undefined : { signature, signed: [rawBody] };
      },
    }),
  };
};
