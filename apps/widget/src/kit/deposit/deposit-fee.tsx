import type { FeeRule } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { depositFee } from '@opencashier/core/money/fee';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { useTexts } from '../session/services.tsx';
import { feeText } from '../withdrawal/fee-text.ts';
import { Summary } from '../withdrawal/summary.tsx';
import { amountText } from '../withdrawal/withdrawal-text.ts';

/** The fee of a deposit and what reaches the balance, before the user pays. The server computes both by the same function. */
export function DepositFee({
  rule,
  amount,
  currency,
}: {
  readonly rule: FeeRule;
  /** The typed amount as a decimal string. Undefined: none yet. Null: there is nothing to type, the payer chooses it elsewhere. */
  readonly amount: string | undefined | null;
  readonly currency: string;
}) {
  const texts = useTexts();
  const { translate } = texts;
  const decimals = decimalsOf(currency);
  const typed = parseDecimal(amount ?? '', decimals);
  const fee = typed.ok ? depositFee(typed.minor, currency, rule) : undefined;
  const written = (minor: bigint): string => toDecimalString(minor, decimals);
  return (
    <Summary
      rows={[
        {
          id: 'fee',
          title: translate('withdrawal.fee'),
          value: feeText(rule, fee === undefined ? undefined : written(fee), currency, texts),
        },
        ...(amount === null
          ? []
          : [
              {
                id: 'receives',
                title: translate('withdrawal.receives'),
                value: typed.ok && fee !== undefined ? amountText(written(typed.minor - fee), currency, texts) : '–',
                isMain: true,
              },
            ]),
      ]}
    />
  );
}
