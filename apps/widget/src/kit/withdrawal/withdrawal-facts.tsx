import type { PaymentMethod } from '@opencashier/contract/api';
import { Requisites } from '../payment/requisites.tsx';
import { useTexts } from '../session/services.tsx';
import { Destination } from './destination.tsx';
import { Summary } from './summary.tsx';
import type { WithdrawalReport } from './use-withdrawal-report.ts';
import { amountText } from './withdrawal-text.ts';

interface WithdrawalFactsProps extends Pick<WithdrawalReport, 'amount' | 'currency' | 'destination'> {
  readonly method: PaymentMethod | undefined;
  readonly withdrawalId: string | undefined;
}

/** The facts of a withdrawal: amount, destination, and the whole id to copy for support (WD-2). */
export function WithdrawalFacts({ amount, currency, destination, method, withdrawalId }: WithdrawalFactsProps) {
  const texts = useTexts();
  const title = texts.translate('withdrawalComplete.amount');
  return (
    <>
      <Summary rows={[{ id: 'amount', title, value: amountText(amount, currency, texts) }]} />
      <Destination report={{ destination }} method={method} isExpected={false} />
      {withdrawalId !== undefined && <WithdrawalNumber withdrawalId={withdrawalId} />}
    </>
  );
}

/** The id by which support finds the withdrawal. */
export function WithdrawalNumber({ withdrawalId }: { readonly withdrawalId: string }) {
  const title = useTexts().translate('withdrawalComplete.number');
  return <Requisites rows={[{ id: 'number', title, shown: withdrawalId, copied: withdrawalId, isCopyable: true }]} />;
}
