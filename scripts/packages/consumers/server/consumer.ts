/** A backend that uses every entry of the published package. The compiler reads its declarations completely. */
import {
  type BonusHandlers,
  CashierApiError,
  type CreateUserTokenResponse,
  createOperatorClient,
  handleBonusCall,
  handleWalletCall,
  type OperatorClient,
  verifyWebhook,
  type WalletHandlers,
  type WebhookEvent,
} from '@opencashier/server';

const client: OperatorClient = createOperatorClient({ cashierUrl: 'https://pay.example.com', operatorKey: 'sk_test' });
export const token: Promise<CreateUserTokenResponse> = client.createUserToken({ userId: 'u-1', currency: 'EUR' });
// @ts-expect-error: the declarations know that a transfer has an amount; a package without types would accept this
export const wrong = () => client.transferFunds({ userId: 'u-1' });

export function amountOf(event: WebhookEvent): string {
  return event.type === 'withdrawal.settled' ? event.data.charged : event.data.amount;
}

export const receive = (body: Uint8Array, headers: Headers): string =>
  amountOf(verifyWebhook(body, headers, { secrets: ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'] }));

export const isRefused = (error: unknown): boolean => error instanceof CashierApiError && !error.outcomeUnknown;

const wallet: WalletHandlers = {
  balance: () => ({ balance: '25.00' }),
  debit: ({ reason }) => (reason === 'withdrawal' ? { declined: 'blocked' } : { balance: '5.00' }),
  credit: async ({ amount }) => ({ balance: amount }),
  release: ({ debitId }) => ({ balance: '25.00', transactionId: debitId }),
};
export const answer = handleWalletCall({ body: '', headers: {} }, { ...wallet, secrets: 'whsec_' });

const engine: BonusHandlers = {
  bonuses: ({ currency = 'EUR' }) => [{ id: 'vip', type: 'deposit', currency, title: { en: 'VIP' } }],
};
export const offered = handleBonusCall({ body: '', headers: {} }, { ...engine, secrets: 'whsec_' });
