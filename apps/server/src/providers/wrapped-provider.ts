/** Wraps all calls to a provider that leave this server. A new call of the contract has its one place here. */
import type { Provider } from './provider.ts';

export type ProviderCall =
  | 'create'
  | 'inquire'
  | 'cancel'
  | 'inputs'
  | 'refund'
  | 'continue'
  | 'withdraw'
  | 'withdraw-inquire';

/** Names the payment that a call is about. */
export type PaymentQuery = { readonly depositId: string } | { readonly withdrawalId: string };

export type WrapCall = <Query extends PaymentQuery, Answer>(
  call: ProviderCall,
  request: (query: Query) => Promise<Answer>,
) => (query: Query) => Promise<Answer>;

/** The same provider, with each call wrapped. */
export function wrapCalls(provider: Provider, wrap: WrapCall): Provider {
  const { withdrawals, forOperator } = provider;
  return {
    ...provider,
    ...(forOperator && { forOperator: (operatorId) => wrapCalls(forOperator(operatorId), wrap) }),
    create: wrap('create', provider.create.bind(provider)),
    inquire: wrap('inquire', provider.inquire.bind(provider)),
    ...(provider.cancel && { cancel: wrap('cancel', provider.cancel.bind(provider)) }),
    ...(provider.takeInputs && { takeInputs: wrap('inputs', provider.takeInputs.bind(provider)) }),
    ...(provider.refund && { refund: wrap('refund', provider.refund.bind(provider)) }),
    ...(provider.continue && { continue: wrap('continue', provider.continue.bind(provider)) }),
    ...(withdrawals && {
      withdrawals: {
        ...withdrawals,
        withdraw: wrap('withdraw', withdrawals.withdraw.bind(withdrawals)),
        inquire: wrap('withdraw-inquire', withdrawals.inquire.bind(withdrawals)),
      },
    }),
  };
}
