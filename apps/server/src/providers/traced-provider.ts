/** Wraps a provider, so that its calls appear in traces with the payment and the kind of the answer. */

import type { Spans } from '../observability/spans.ts';
import { kindOf } from './answer-kind.ts';
import type { Provider } from './provider.ts';
import type { WithdrawalProvider } from './withdrawal-provider.ts';

export function tracedProvider(provider: Provider, spans: Spans): Provider {
  const { name } = provider;
  const trace = <Query extends { readonly depositId: string }, Answer>(
    what: string,
    request: (query: Query) => Promise<Answer>,
  ) => traced(name, spans, what, ({ depositId }: Query) => depositId, request);
  const { withdrawals } = provider;
  return {
    ...provider,
    create: trace('create', provider.create.bind(provider)),
    inquire: trace('inquire', provider.inquire.bind(provider)),
    ...(provider.cancel && { cancel: trace('cancel', provider.cancel.bind(provider)) }),
    ...(provider.takeInputs && { takeInputs: trace('inputs', provider.takeInputs.bind(provider)) }),
    ...(provider.refund && { refund: trace('refund', provider.refund.bind(provider)) }),
    ...(provider.continue && { continue: trace('continue', provider.continue.bind(provider)) }),
    ...(withdrawals && { withdrawals: tracedWithdrawals(name, withdrawals, spans) }),
  };
}

function tracedWithdrawals(name: string, provider: WithdrawalProvider, spans: Spans): WithdrawalProvider {
  return {
    ...provider,
    withdraw: traced(name, spans, 'pay-out', (query) => query.withdrawalId, provider.withdraw.bind(provider)),
    inquire: traced(name, spans, 'pay-out inquire', (query) => query.withdrawalId, provider.inquire.bind(provider)),
  };
}

function traced<Query, Answer>(
  provider: string,
  spans: Spans,
  what: string,
  paymentOf: (query: Query) => string,
  request: (query: Query) => Promise<Answer>,
): (query: Query) => Promise<Answer> {
  return (query) =>
    spans.step(`provider ${what}`, { provider, payment: paymentOf(query) }, async (span) => {
      const answer = await request(query);
      span.note({ outcome: kindOf(answer) });
      return answer;
    });
}
