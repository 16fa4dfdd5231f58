import { limitsHint } from '@opencashier/core/limits/limits';
import { currencyOf, shownCode } from '@opencashier/core/money/currencies';
import { formatDecimal, formatWireAmount } from '@opencashier/core/money/format';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { AmountInput } from '../ui/amount-input.tsx';
import { Card } from '../ui/card.tsx';
import { Chips } from '../ui/chips.tsx';
import { Field } from '../ui/field.tsx';
import { type Texts, useTexts } from './services.tsx';
import type { AmountField } from './use-amount.ts';

/** The card with the amount, its limits and the ready amounts (AMT-1, AMT-4, AMT-5). */
export function AmountForm({
  amount,
  inputRef,
  isDisabled = false,
}: {
  readonly amount: AmountField;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly isDisabled?: boolean;
}) {
  const texts = useTexts();
  const keepCaret = useCaret(amount.shown);
  const { symbol, decimals, kind } = currencyOf(amount.currency);
  const code = shownCode(amount.currency);
  const chips = amount.chips.map((chip) => ({
    value: chip,
    text: formatDecimal(chip, texts.formatLocale, 0, decimals),
    name:
      formatWireAmount({ amount: chip, currency: amount.currency }, texts.formatLocale, { trimWhole: true }) ?? chip,
  }));
  return (
    <Card>
      <Field label={texts.translate('amount.label')} hint={hintText(amount, texts)} error={errorText(amount, texts)}>
        {(control) => (
          <AmountInput
            {...control}
            {...(inputRef === undefined ? {} : { ref: inputRef })}
            value={amount.shown}
            unit={kind === 'crypto' || symbol === code ? code : `${symbol} ${code}`}
            disabled={isDisabled}
            enterKeyHint="done"
            onChange={(event) => {
              keepCaret.remember(event.target);
              amount.onType(event.target.value);
            }}
            onPaste={(event) => {
              event.preventDefault();
              amount.onPaste(event.clipboardData.getData('text'));
            }}
            onFocus={amount.onFocus}
            onBlur={amount.onBlur}
          />
        )}
      </Field>
      {chips.length > 0 && (
        <Chips
          label={texts.translate('amount.chips')}
          chips={chips}
          chosen={amount.chips.find((chip) => isSameAmount(chip, amount.canonical))}
          isDisabled={isDisabled}
          onChoose={amount.choose}
        />
      )}
    </Card>
  );
}

/** Where the caret stands, counted in digits before it, since grouping comes and goes around them. */
function useCaret(shown: string) {
  const place = useRef<{ readonly input: HTMLInputElement; readonly digits: number } | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret moves when the text has changed, and only then
  useLayoutEffect(() => {
    const { input, digits } = place.current ?? {};
    place.current = undefined;
    if (!input || digits === undefined) return;
    let position = 0;
    for (let seen = 0; position < input.value.length && seen < digits; position += 1) {
      if (isDigit(input.value.charAt(position))) seen += 1;
    }
    if (input.selectionStart !== position && digits < countDigits(input.value))
      input.setSelectionRange(position, position);
  }, [shown]);
  return {
    remember(input: HTMLInputElement) {
      place.current = { input, digits: countDigits(input.value.slice(0, input.selectionStart ?? 0)) };
    },
  };
}

const isDigit = (char: string) => /\p{Nd}/u.test(char);
const countDigits = (text: string) => [...text].filter(isDigit).length;

/** Canonical decimal strings of one amount may differ in zeros at the end. */
function isSameAmount(left: string, right: string | undefined): boolean {
  const strip = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);
  return right !== undefined && strip(left) === strip(right);
}

function written(amount: string, currency: string, texts: Texts): string {
  return formatWireAmount({ amount, currency }, texts.formatLocale, { trimWhole: true, isolate: true }) ?? amount;
}

/** AMT-4: from and to, or the one of them that there is. */
function hintText({ limits, currency }: AmountField, texts: Texts): string | undefined {
  const hint = limitsHint(limits);
  if (!hint) return undefined;
  const from = hint.from === undefined ? undefined : written(hint.from, currency, texts);
  const to = hint.to === undefined ? undefined : written(hint.to, currency, texts);
  if (from !== undefined && to !== undefined) return texts.translate('amount.hint.both', { from, to });
  return from === undefined
    ? texts.translate('amount.hint.to', { to: to ?? '' })
    : texts.translate('amount.hint.from', { from });
}

function errorText({ shownError, currency }: AmountField, texts: Texts): string | undefined {
  if (!shownError) return undefined;
  const { amount } = shownError.params;
  return texts.translate(shownError.key, amount === undefined ? {} : { amount: written(amount, currency, texts) });
}
