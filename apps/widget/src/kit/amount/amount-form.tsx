import { limitsHint } from '@opencashier/core/limits/limits';
import { currencyOf, shownCode } from '@opencashier/core/money/currencies';
import { formatDecimal, formatWireAmount } from '@opencashier/core/money/format';
import { type RefObject, useRef } from 'react';
import { AmountInput } from '../../ui/inputs/amount-input.tsx';
import { type Chip, Chips } from '../../ui/inputs/chips.tsx';
import { Field } from '../../ui/inputs/field.tsx';
import { Card } from '../../ui/page/card.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { type Texts, useTexts } from '../session/services.tsx';
import { place, useLiveText } from './live-text.ts';
import type { AmountField } from './use-amount.ts';

/** The card with the amount, its limits and the preset amounts (AMT-1, AMT-4, AMT-5). */
export function AmountForm({
  amount,
  inputRef,
  lastChip,
  isDisabled = false,
}: {
  readonly amount: AmountField;
  /** A preset amount with its own label, after the others. */
  readonly lastChip?: (Chip & { readonly keepsOthers?: boolean }) | undefined;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly isDisabled?: boolean;
}) {
  const texts = useTexts();
  const live = useLiveText(amount.shown, amount.onEdit);
  // A press sets the caret after the focus event, which would undo the selection made on focus.
  const isFirstPress = useRef(false);
  const isOff = isDisabled || amount.isClosed;
  const { symbol, decimals, kind } = currencyOf(amount.currency);
  const code = shownCode(amount.currency);
  const ready = amount.chips.map((chip) => ({
    value: chip,
    isDisabled: amount.closedChips?.includes(chip) === true,
    text: formatDecimal(chip, texts.formatLocale, 0, decimals),
    name:
      formatWireAmount({ amount: chip, currency: amount.currency }, texts.formatLocale, { trimWhole: true }) ?? chip,
  }));
  const others = lastChip?.keepsOthers ? ready : ready.filter(({ value }) => value !== lastChip?.value);
  const chips = lastChip === undefined ? ready : [...others, lastChip];
  return (
    <Card>
      <Field
        label={texts.translate('amount.label')}
        hint={hintText(amount, texts)}
        error={errorText(amount, texts)}
        sharesLine
      >
        {(control) => (
          <AmountInput
            {...control}
            {...(inputRef === undefined ? {} : { ref: inputRef })}
            {...live}
            unit={kind === 'crypto' || symbol === code ? code : `${symbol} ${code}`}
            disabled={isOff}
            enterKeyHint="done"
            onPaste={(event) => {
              event.preventDefault();
              const { selectionStart, selectionEnd, value } = event.currentTarget;
              const selection = { start: selectionStart ?? value.length, end: selectionEnd ?? value.length };
              const shown = amount.onPaste(event.clipboardData.getData('text'), selection);
              if (shown.text !== value) place(event.currentTarget, shown);
            }}
            // The first press selects a proposed amount, so typing replaces it. Later presses only move the caret.
            onPointerDown={({ currentTarget }) => {
              isFirstPress.current = currentTarget.ownerDocument.activeElement !== currentTarget;
            }}
            onClick={({ currentTarget }) => {
              const isCaretOnly = currentTarget.selectionStart === currentTarget.selectionEnd;
              if (amount.isProposed && isFirstPress.current && isCaretOnly) currentTarget.select();
              isFirstPress.current = false;
            }}
            onFocus={({ currentTarget }) => {
              amount.onFocus();
              if (amount.isProposed) currentTarget.select();
            }}
            onBlur={amount.onBlur}
          />
        )}
      </Field>
      {amount.isWaiting && <Skeleton blockSize="var(--target)" radius="var(--radius-full)" />}
      {chips.length > 0 && (
        <Chips
          label={texts.translate('amount.chips')}
          chips={chips}
          chosen={chips.find(({ value }) => isSameAmount(value, amount.canonical))?.value}
          isDisabled={isOff}
          onChoose={amount.choose}
        />
      )}
    </Card>
  );
}

/** Canonical decimal strings of one amount may differ in zeros at the end. */
function isSameAmount(left: string, right: string | undefined): boolean {
  const strip = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);
  return right !== undefined && strip(left) === strip(right);
}

function written(amount: string, currency: string, texts: Texts): string {
  return formatWireAmount({ amount, currency }, texts.formatLocale, { trimWhole: true, isolate: true }) ?? amount;
}

/** The text of the limits (AMT-4): both, or the only one that exists. */
function hintText({ limits, currency, isWaiting }: AmountField, texts: Texts): string | undefined {
  // An empty line keeps the place, so that nothing moves when the limits come.
  if (isWaiting) return '\u00a0';
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
