/** Builds the answer to a create, by the flow of the method and with the fault that the amount chooses. */

import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { FlowName } from '../payments/flow-names.ts';
import { payPath } from '../payments/pay-path.ts';
import { entryOf, type Malformation } from '../payments/scenarios.ts';
import { cashAnswer } from './cash.ts';
import { indiaAnswer, pixAnswer, unifiedAnswer, upiPageAnswer } from './code-pages.ts';
import { cryptoAnswer, onrampAnswer } from './crypto.ts';
import type { FlowAnswer, FlowParts } from './flow.ts';
import { lightningAnswer } from './lightning.ts';
import { malform } from './malformed.ts';
import { bankTransferAnswer, hostToHostAnswer, p2pAnswer, virtualAccountAnswer } from './transfers.ts';

const answers: Readonly<Record<FlowName, (parts: FlowParts) => FlowAnswer>> = {
  redirect: redirectAnswer,
  'unified-form': unifiedAnswer,
  eazype: upiPageAnswer('eazype'),
  pix: pixAnswer,
  'upi-qr': upiPageAnswer('upi-qr'),
  india: indiaAnswer,
  p2p: p2pAnswer,
  'host-to-host': hostToHostAnswer,
  'virtual-account': virtualAccountAnswer,
  'bank-transfer': bankTransferAnswer,
  cash: cashAnswer,
  onramp: onrampAnswer,
  crypto: cryptoAnswer,
  lightning: lightningAnswer,
};

/** The answer of a flow. @param malformation the fault to build in; undefined for a good answer */
export function answerOf(flow: FlowName, parts: FlowParts, malformation: Malformation | undefined): FlowAnswer {
  const answer = answers[flow](parts);
  return malformation === undefined ? answer : malform(answer, malformation);
}

function redirectAnswer({ payment, base, texts }: FlowParts): FlowAnswer {
  const action = `${base}${payPath(payment, texts)}`;
  const entry = entryOf(payment.paymentMethod);
  if (entry === 'address') return { source: action };
  return {
    source: {
      action,
      method: entry === 'form-post' ? 'POST' : 'GET',
      fields: {
        order: payment.depositId,
        amount: toDecimalString(payment.amountMinor, decimalsOf(payment.currency)),
        currency: payment.currency,
        // The fields of a GET form replace the query of its address, so the language is a field too.
        ...(texts.language !== 'en' && { locale: texts.language }),
      },
    },
  };
}
