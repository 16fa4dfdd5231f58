import { formatWireAmount } from '@opencashier/core/money/format';
import { CopyButton } from '../copy/copy-button.tsx';
import { PaymentTimer } from '../payment/payment-timer.tsx';
import type { PaymentTimerState } from '../payment/use-payment-timer.ts';
import { useTexts } from '../session/services.tsx';
import { AmountHead } from './amount-head.tsx';

interface ExactAmountProps {
  readonly amount: string;
  readonly currency: string;
  readonly timer: PaymentTimerState | undefined;
  /** What the user must do with the amount; "Transfer exactly" when absent. */
  readonly label?: string;
}

/** The amount that must arrive, to the last digit, and the time left to pay it. The button copies a plain number. */
export function ExactAmount({ amount, currency, timer, label }: ExactAmountProps) {
  const { translate, formatLocale } = useTexts();
  return (
    <AmountHead
      label={label ?? translate('payment.exactly')}
      amount={formatWireAmount({ amount, currency }, formatLocale) ?? `${amount} ${currency}`}
    >
      {timer && <PaymentTimer timer={timer} />}
      <CopyButton value={amount} name={translate('payment.amount')} />
    </AmountHead>
  );
}
