import type { DepositData, PaymentMethod } from '@opencashier/contract/api';
import { p2pStep } from '@opencashier/core/deposit/p2p-step';
import { DEFAULT_LIFETIME_S } from '@opencashier/core/time/countdown';
import { useEffect } from 'react';
import { useDepositAnswer } from '../../kit/deposit/deposit-answer.ts';
import { useMethod } from '../../kit/method/use-method.ts';
import { namesPayee } from '../../kit/payment/payee-rows.ts';
import { AnswerFailed, PaymentSkeleton } from '../../kit/payment/payment-gate.tsx';
import { qrSource, requisiteRows } from '../../kit/payment/payment-requisites.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { completePath, usePlace } from '../../kit/session/product-context.tsx';
import { useServices } from '../../kit/session/services.tsx';
import { replayP2p } from './create.ts';
import { InvalidAnswer } from './invalid-answer.tsx';
import { InvoiceView } from './invoice-view.tsx';

/** The payee, the exact amount and the deadline (DEP-11). After a reload they come from the server again (NAV-7). */
export function Screen({ params, query }: ScreenProps) {
  const method = useMethod(params['method']);
  return method ? <AnsweredInvoice method={method} depositId={query.get('depositId') ?? undefined} /> : null;
}

function AnsweredInvoice({
  method,
  depositId,
}: {
  readonly method: PaymentMethod;
  readonly depositId?: string | undefined;
}) {
  const { navigation } = useServices();
  const { tree } = usePlace();
  const answer = useDepositAnswer(depositId, method.name, replayP2p);
  // There is nothing left to pay: the complete screen shows the outcome. Without a deposit there is only the form.
  const away =
    depositId === undefined
      ? `${tree}/peer-to-peer/${encodeURIComponent(method.name)}`
      : answer.at === 'none'
        ? completePath(tree, depositId, method.name)
        : undefined;
  useEffect(() => {
    if (away !== undefined) navigation.go(away, { replace: true });
  }, [navigation, away]);
  if (depositId === undefined) return null;
  if (answer.at === 'failed') return <AnswerFailed onRetry={answer.retry} />;
  if (answer.at !== 'ready') return <PaymentSkeleton />;
  const terms = termsOf(depositId, answer.data);
  return terms.kind === 'invalid' ? (
    <InvalidAnswer method={method} depositId={depositId} missing={terms.missing} />
  ) : (
    <InvoiceView key={depositId} method={method} depositId={depositId} data={answer.data} {...terms} />
  );
}

/** The start in ms since the epoch and the lifetime in seconds, by the server's clock; or what the answer lacks. */
function termsOf(depositId: string, data: DepositData) {
  const step = p2pStep({ ...data, depositId });
  if (step.kind === 'invalid') return { kind: 'invalid', missing: step.missing } as const;
  // Nobody can pay to a payee without a number.
  if (!namesAnyone(data)) return { kind: 'invalid', missing: 'card' } as const;
  if (step.kind === 'invoice') {
    return { kind: 'payable', createdAt: step.createdAt, lifetimeS: step.lifetimeS } as const;
  }
  const createdAt = Date.parse(data.created ?? '');
  if (Number.isNaN(createdAt)) return { kind: 'invalid', missing: 'timing' } as const;
  const minutes = data.timeout_minutes;
  const lifetimeS = data.lifetime ?? (minutes === undefined ? DEFAULT_LIFETIME_S : minutes * 60);
  return { kind: 'payable', createdAt, lifetimeS } as const;
}

function namesAnyone(data: DepositData): boolean {
  if (requisiteRows(data).length > 0) return true;
  if (data.unifiedFlow === true) return qrSource(data) !== undefined;
  return data.card !== undefined && namesPayee(data.card);
}
