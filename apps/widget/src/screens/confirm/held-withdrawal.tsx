import type { PaymentMethod } from '@opencashier/contract/api';
import { AmountHead } from '../../kit/amount-head.tsx';
import { itemsOf, labelOf } from '../../kit/form-values.ts';
import { methodTitle } from '../../kit/method-text.ts';
import { PaymentTimer } from '../../kit/payment-timer.tsx';
import { type Texts, useTexts } from '../../kit/services.tsx';
import type { PaymentTimerState } from '../../kit/use-payment-timer.ts';
import { Summary, type SummaryRow } from '../../kit/withdrawal/summary.tsx';
import type { WithdrawalReport } from '../../kit/withdrawal/use-withdrawal-report.ts';
import { amountText } from '../../kit/withdrawal/withdrawal-text.ts';

/** The method's own fields as the server has them, in the words of the form. */
function destinationRows(
  { destination = [] }: WithdrawalReport,
  method: PaymentMethod | undefined,
  texts: Texts,
): SummaryRow[] {
  return destination.flatMap(({ name, value }) => {
    const field = method?.fields.find((candidate) => candidate.name === name);
    if (field === undefined || field.props?.isHidden === true) return [];
    const shown = itemsOf(field).find((item) => item.value === value)?.text ?? value;
    return [
      { id: name, title: labelOf(field, texts), value: <bdi dir={/\d/.test(shown) ? 'ltr' : 'auto'}>{shown}</bdi> },
    ];
  });
}

/** How much leaves the balance, and a line each: where it goes, from which account, what is kept and what arrives. */
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
  const { amount, currency, fee, receives, payout, accountType } = report;
  const rows: SummaryRow[] = [
    ...(method ? [{ id: 'method', title: translate('confirm.method'), value: methodTitle(method, texts) }] : []),
    ...destinationRows(report, method, texts),
    ...(accountType === 'additional'
      ? [{ id: 'account', title: translate('withdrawal.account'), value: translate('withdrawal.account.additional') }]
      : []),
    { id: 'fee', title: translate('withdrawal.fee'), value: amountText(fee, currency, texts) },
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
      <Summary rows={rows} />
    </>
  );
}
