/** A provider whose requests show in traces: which payment, and the kind of answer. */

import type { Spans } from '../observability/spans.ts';
import type { Provider } from './provider.ts';
import type { WithdrawalProvider } from './withdrawal-provider.ts';

export function tracedProvider(provider: Provider, spans: Spans): Provider {
  const { name } = provider;
  const ask = <Query extends { readonly depositId: string }, Answer>(
    what: string,
    request: (query: Query) => Promise<Answer>,
  ) => asked(name, spans, what, ({ depositId }: Query) => depositId, request);
  const { withdrawals } = provider;
  return {
    ...provider,
    create: ask('create', provider.create.bind(provider)),
    inquire: ask('inquire', provider.inquire.bind(provider)),
    ...(provider.cancel && { cancel: ask('cancel', provider.cancel.bind(provider)) }),
    ...(provider.takeInputs && { takeInputs: ask('inputs', provider.takeInputs.bind(provider)) }),
    ...(provider.refund && { refund: ask('refund', provider.refund.bind(provider)) }),
    ...(provider.continue && { continue: ask('continue', provider.continue.bind(provider)) }),
    ...(withdrawals && { withdrawals: tracedWithdrawals(name, withdrawals, spans) }),
  };
}

function tracedWithdrawals(name: string, provider: WithdrawalProvider, spans: Spans): WithdrawalProvider {
  return {
    ...provider,
    withdraw: asked(name, spans, 'pay-out', (query) => query.withdrawalId, provider.withdraw.bind(provider)),
    inquire: asked(name, spans, 'pay-out inquire', (query) => query.withdrawalId, provider.inquire.bind(provider)),
  };
}

function asked<Query, Answer>(
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

/** The word that an answer says of itself. */
function kindOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return 'nothing';
  if ('kind' in answer && typeof answer.kind === 'string') return answer.kind;
  return 'outcome' in answer && typeof answer.outcome === 'string' ? answer.outcome : 'answered';
}
