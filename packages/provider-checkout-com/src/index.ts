/**
 * Checkout.com (https://www.checkout.com/docs): cards and local methods on its Hosted Payments Page. Our deposit id is the reference of
 * the page and of each payment on it.
 */
import { type CreateProvider, createHmacVerifier } from '@opencashier/provider-kit';
import { createCheckoutApi } from './checkout-api.ts';
import { createPage } from './create-page.ts';
import { NAME, reportOfDeposit } from './payment-reports.ts';
import { refundPayment } from './refund.ts';
import { readWebhook } from './webhooks.ts';

export const createProvider: CreateProvider = ({ secrets, settings, now }) => {
  const { secretKey = '', webhookSecret = '' } = secrets;
  const { apiUrl: given = '', processingChannelId = '', afterDecline } = settings;
  const apiUrl = given.replace(/\/+$/, '');
  if (afterDecline !== 'end' && afterDecline !== 'wait')
    throw new Error('The setting afterDecline must be end or wait.');
  if (secretKey.startsWith('sk_sbox_') && /\.checkout\.com$/.test(apiUrl) && !apiUrl.includes('.sandbox.')) {
    throw new Error(
      'The secret key is of the sandbox, and apiUrl is not. Use both of the sandbox, or both for real money.',
    );
  }
  const api = createCheckoutApi({ apiUrl, secretKey });
  const rules = { api, now, afterDecline } as const;
  return {
    name: NAME,
    create: (deposit) => createPage(api, processingChannelId, deposit),
    async inquire({ depositId, providerRef }) {
      const signal = api.begin();
      const payments = await api.paymentsOf(depositId, signal);
      // Without an answer to the create, nobody has the address of the page, so nobody can pay there any more.
      if (payments.length === 0 && providerRef === undefined) return undefined;
      return reportOfDeposit(rules, depositId, payments, signal);
    },
    read: (rawBody) => readWebhook(rules, rawBody),
    refund: (refund) => refundPayment(api, refund),
    verify: createHmacVerifier({
      // A comma between the new and the old secret, while it is changed.
      secrets: webhookSecret.split(','),
      // The signature covers the body alone, and a retry repeats it.
      parts({ headers, rawBody }) {
        const signature = headers['cko-signature'];
        return signature === undefined ? undefined : { signature: signature.toLowerCase(), signed: [rawBody] };
      },
    }),
  };
};
