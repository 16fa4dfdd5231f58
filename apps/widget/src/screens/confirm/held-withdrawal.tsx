import type { PaymentMethod } from '@opencashier/contract/api';
import { AmountHead } from '../../kit/amount/amount-head.tsx';
import { PaymentTimer } from '../../kit/payment/payment-timer.tsx';
import type { PaymentTimerState } from '../../kit/payment/use-payment-timer.ts';
import { rateRow } from '../../kit/payout/payout-note.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Destination } from '../../kit/withdrawal/destination.tsx';
import { Summary, type SummaryRow } from '../../kit/withdrawal/summary.tsx';
import type { WithdrawalReport } from '../../kit/withdrawal/use-withdrawal-report.ts';
import { amountText } from '../../kit/withdrawal/withdrawal-text.ts';

/** The amount that leaves the balance, its destination, and one row each for the account, the fee and the amount that arrives. */
export function HeldWithdrawal({
  report,
  method,
  timer,
}: {
  readonly report: WithdrawalReport;
  readonly method: PaymentMethod | undefined;
  readonly timer: PaymentTimerState | undefined;
}) {
  const texts = useTexts();
  const { translate } = texts;
  const { clock } = useServices();
  const { amount, currency, fee, receives, payout, accountType } = report;
  const rows: SummaryRow[] = [
    ...(accountType === 'additional'
      ? [{ id: 'account', title: translate('withdrawal.account'), value: translate('withdrawal.account.additional') }]
      : []),
    { id: 'fee', title: translate('withdrawal.fee'), value: amountText(fee, currency, texts) },
    ...(payout
      ? [
          rateRow(
            { value: payout.rate, asOf: payout.asOf },
            { from: currency, to: payout.currency },
            clock.now(),
            texts,
          ),
        ]
      : []),
    {
      id: 'receives',
      title: translate('withdrawal.receives'),
      value: payout ? amountText(payout.amount, payout.currency, texts) : amountText(receives, currency, texts),
      isMain: true,
    },
  ];
  return (
    <>
      <AmountHead label={translate('confirm.amount')} amount={amountText(amount, currency, texts)}>
        {timer && <PaymentTimer timer={timer} words="confirm.timer" />}
      </AmountHead>
      <Destination report={report} method={method} isExpected />
      <Summary rows={rows} />
    </>
  );
}
