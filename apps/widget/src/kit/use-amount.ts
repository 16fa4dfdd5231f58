/** The amount of a deposit while it is being typed: what the field shows, what it means, what is wrong with it (AMT-1 to AMT-7). */
import { depositLimits, type PaymentMethod, sessionStart } from '@opencashier/contract/api';
import { amountChips, prefilledAmount } from '@opencashier/core/amount/amount-choices';
import { parseAmount } from '@opencashier/core/amount/parse-amount';
import { randomBelow, SESSION_DEBOUNCE_MS, sessionAmount } from '@opencashier/core/amount/session-amount';
import { editAmount, groupTyped, readTypedAmount, typeAmount, typingRules } from '@opencashier/core/amount/type-amount';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import {
  type AmountError,
  type AmountPattern,
  checkAmount,
  LIMIT_MAX_KEY,
  type Limits,
  methodLimits,
} from '@opencashier/core/limits/limits';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CallFailed } from '../api/client.ts';
import { draftOf } from './drafts.ts';
import { useServices, useSession, useTexts } from './services.tsx';

/** A pasted text that can be read as two different amounts is refused (AMT-2). */
export const PASTE_UNCLEAR_KEY = 'amount.pasteUnclear';

export interface AmountField {
  /** What the field shows: grouped while nobody edits it. */
  readonly shown: string;
  /** The canonical decimal string, or undefined while no digit stands there. */
  readonly canonical: string | undefined;
  readonly currency: string;
  readonly limits: Limits;
  /** What is wrong, whether or not it is time to say so. */
  readonly error: AmountError | undefined;
  /** The error to show now. */
  readonly shownError: AmountError | undefined;
  readonly chips: readonly string[];
  readonly isFromChip: boolean;
  /** Of the last session that was opened for this amount (AMT-7). */
  readonly paymentSessionId: string | undefined;
  /** Says that the person wants to go on: from now on an error is shown. */
  reveal(): void;
  onType(text: string): void;
  onPaste(text: string): void;
  onFocus(): void;
  onBlur(): void;
  choose(chip: string): void;
}

export function useAmount(method: PaymentMethod, pendingGroup?: string): AmountField {
  const services = useServices();
  const { api } = services;
  const { country, currency } = useSession();
  const { formatLocale } = useTexts();
  const served = useQuery({
    queryKey: ['limits', method.name, currency],
    queryFn: ({ signal }) => api.call(depositLimits, { currency, paymentMethod: method.name }, { signal }),
  });
  const limits = useMemo(
    () => methodLimits({ currency, country, rule: method.amount_rules[currency], server: served.data }),
    [currency, country, method, served.data],
  );
  const rules = typingRules(currency, formatLocale, limits.max);
  const draft = draftOf(services, method.name, currency);
  const [typed, setTyped] = useState(() => draft.amount ?? startAmount(method, currency, rules));
  const [isFromChip, setIsFromChip] = useState(draft.isFromChip);
  const [isEditing, setIsEditing] = useState(false);
  const [isRevealed, setIsRevealed] = useState(false);
  const [isPasteUnclear, setIsPasteUnclear] = useState(false);
  const canonical = readTypedAmount(typed, rules);
  const error = checkAmount(canonical, limits, patternOf(method));
  const paymentSessionId = usePaymentSession(draft.amount === undefined ? undefined : canonical, limits, pendingGroup);
  // Leading the person to a mistake gives the field the focus, and must not take the words about it away.
  const isLed = useRef(false);
  const set = (text: string, fromChip: boolean) => {
    draft.amount = text;
    draft.isFromChip = fromChip;
    setTyped(text);
    setIsFromChip(fromChip);
    setIsPasteUnclear(false);
  };
  const isTooMuch = error?.key === LIMIT_MAX_KEY;
  const said = isRevealed || isTooMuch ? error : undefined;
  return {
    shown: isEditing ? typed : groupTyped(typed, formatLocale, rules),
    canonical,
    currency,
    limits,
    error,
    shownError: isPasteUnclear ? { key: PASTE_UNCLEAR_KEY, params: {} } : said,
    chips: amountChips({ limits, country, fixedAmounts: method.fixedAmounts ?? method.recommendedAmounts }),
    isFromChip,
    paymentSessionId,
    reveal() {
      isLed.current = true;
      setIsRevealed(true);
    },
    onType(text) {
      isLed.current = false;
      setIsEditing(true);
      set(typeAmount(text, rules), false);
    },
    onPaste(text) {
      const pasted = parseAmount(text, { locale: formatLocale, decimals: rules.decimals });
      if (pasted.ok) set(editAmount(pasted.decimal, rules), false);
      else setIsPasteUnclear(true);
    },
    // What is shown stays as it is: a text that changes on focus loses what Tab or a long press has selected.
    onFocus() {
      if (!isLed.current) setIsRevealed(false);
      isLed.current = false;
    },
    onBlur() {
      setIsEditing(false);
      if (typed !== '') setIsRevealed(true);
    },
    choose(chip) {
      set(editAmount(chip, rules), true);
      setIsRevealed(true);
    },
  };
}

function startAmount(method: PaymentMethod, currency: string, rules: ReturnType<typeof typingRules>): string {
  const amount = prefilledAmount(method.prefilledAmount, currency);
  return amount === undefined ? '' : editAmount(amount, rules);
}

/** AMT-8: a method's own rule for the amount; one that cannot be used is skipped, since the server checks again. */
function patternOf({ flags }: PaymentMethod): AmountPattern | undefined {
  if (flags.ownAmountRegex === undefined) return undefined;
  const rule = compileRule(flags.ownAmountRegex);
  return rule.ok ? { test: rule.matches, errorKey: 'amount.pattern' } : undefined;
}

/** AMT-7: after half a second of quiet the server hears that a payment is near. A hint: a failure is only measured. */
function usePaymentSession(canonical: string | undefined, limits: Limits, pendingGroup: string | undefined) {
  const { api, clock, metric } = useServices();
  const [opened, setOpened] = useState<string>();
  // Limits arrive after the amount; that alone opens no second session.
  const latestLimits = useRef(limits);
  useEffect(() => {
    latestLimits.current = limits;
  }, [limits]);
  const { currency } = limits;
  useEffect(() => {
    if (canonical === undefined) return;
    const aborter = new AbortController();
    const stopTimer = clock.setTimer(() => {
      const amount = sessionAmount(canonical, latestLimits.current, randomBelow(Math.random));
      if (amount === undefined) return;
      const request = { amount, currency, ...(pendingGroup === undefined ? {} : { pendingGroup }) };
      api.call(sessionStart, request, { signal: aborter.signal }).then(
        ({ paymentSessionId }) => setOpened(paymentSessionId),
        (error: unknown) => {
          if (error instanceof CallFailed) metric('session-start.failed', error.code);
        },
      );
    }, SESSION_DEBOUNCE_MS);
    return () => {
      stopTimer();
      aborter.abort();
    };
  }, [api, clock, metric, canonical, currency, pendingGroup]);
  return opened;
}
