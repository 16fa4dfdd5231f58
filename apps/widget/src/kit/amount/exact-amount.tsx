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
  /** What is to be done with the sum; "Transfer exactly" when absent. */
  readonly label?: string;
}

/** The sum that has to arrive, to the last digit, and the time left for it. What is copied is a plain number. */
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
