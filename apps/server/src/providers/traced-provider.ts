/** Wraps a provider, so that its calls appear in traces with the payment and the kind of the answer. */

import type { Spans } from '../observability/spans.ts';
import { kindOf } from './answer-kind.ts';
import type { Provider } from './provider.ts';
import { type PaymentQuery, type ProviderCall, wrapCalls } from './wrapped-provider.ts';

/** The names of spans that are not those of the calls. */
const SPAN_NAMES: Readonly<Partial<Record<ProviderCall, string>>> = {
  withdraw: 'pay-out',
  'withdraw-inquire': 'pay-out inquire',
};

export function tracedProvider(provider: Provider, spans: Spans): Provider {
  const { name } = provider;
  return wrapCalls(provider, (call, request) => (query) => {
    const what = `provider ${SPAN_NAMES[call] ?? call}`;
    return spans.step(what, { provider: name, payment: paymentOf(query) }, async (span) => {
      const answer = await request(query);
      span.note({ outcome: kindOf(answer) });
      return answer;
    });
  });
}

function paymentOf(query: PaymentQuery): string {
  return 'depositId' in query ? query.depositId : query.withdrawalId;
}
