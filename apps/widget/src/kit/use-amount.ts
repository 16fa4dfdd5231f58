/** The amount of a deposit while it is being typed: what the field shows, what it means, what is wrong with it (AMT-1 to AMT-8). */
import { depositLimits, type PaymentMethod, sessionStart } from '@opencashier/contract/api';
import { amountChips, prefilledAmount } from '@opencashier/core/amount/amount-choices';
import type { AmountTextError } from '@opencashier/core/amount/parse-amount';
import { randomBelow, SESSION_DEBOUNCE_MS, sessionAmount } from '@opencashier/core/amount/session-amount';
import { typingRules } from '@opencashier/core/amount/type-amount';
import { fieldAfter, initialFieldState, type SubmitField } from '@opencashier/core/fields/form-state';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { type AmountError, type AmountPattern, checkAmount } from '@opencashier/core/limits/check-amount';
import {
  type Limits,
  methodLimits,
  ONRAMP_LIMITS_MISSING_KEY,
  onrampCryptoLimits,
} from '@opencashier/core/limits/limits';
import { cardViewOfCode } from '@opencashier/core/methods/card-view';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CallFailed } from '../api/client.ts';
import { type AmountEdit, type AmountWriting, editAmountText, pasteAmount, showAmount } from './amount-text.ts';
import { draftOf } from './drafts.ts';
import type { ShownText, TextEdit } from './live-text.ts';
import { useServices, useSession, useTexts } from './services.tsx';

/** A pasted text that can be read as two different amounts is refused (AMT-2). */
export const PASTE_UNCLEAR_KEY = 'amount.pasteUnclear';
/** A pasted text that is no amount, or is longer than any amount here. */
export const PASTE_UNREADABLE_KEY = 'amount.pasteUnreadable';

export interface AmountField {
  /** What the field shows: grouped while it is typed. */
  readonly shown: string;
  /** The canonical decimal string, or undefined while no digit stands there. */
  readonly canonical: string | undefined;
  readonly currency: string;
  readonly limits: Limits;
  /** An on-ramp has to know its limits first (AMT-8): until then nothing can be typed. */
  readonly isClosed: boolean;
  /** What is wrong, whether or not it is time to say so. */
  readonly error: AmountError | undefined;
  /** The error to show now. */
  readonly shownError: AmountError | undefined;
  /** What the submit rule asks (FORM-5). */
  readonly submit: SubmitField;
  readonly chips: readonly string[];
  readonly isFromChip: boolean;
  /** The amount is the method's own proposal, which the person has neither changed nor chosen. */
  readonly isProposed: boolean;
  /** Of the last session that was opened for this amount (AMT-7). */
  readonly paymentSessionId: string | undefined;
  /** Says that the person wants to go on: from now on an error is shown. */
  reveal(): void;
  onEdit(edit: TextEdit): ShownText;
  /** Puts a pasted text in the place of the selection. */
  onPaste(text: string, selection: { readonly start: number; readonly end: number }): ShownText;
  onFocus(): void;
  onBlur(): void;
  choose(chip: string): void;
}

/**
 * @param pendingGroup the group in which the method was chosen, for the payment session
 * @param fixed the amount where the person does not choose it: it is as it is, and nothing is asked about it
 */
export function useAmount(method: PaymentMethod, pendingGroup?: string, fixed?: string): AmountField {
  const services = useServices();
  const session = useSession();
  const { formatLocale } = useTexts();
  const { currency } = session;
  const { limits, missing, isClosed } = useLimits(method, currency, fixed !== undefined);
  const writing: AmountWriting = {
    rules: typingRules(currency, formatLocale, limits.max),
    locale: formatLocale,
  };
  const draft = draftOf(services, method.name, currency);
  const [typed, setTyped] = useState(() => draft.amount ?? prefilledAmount(method.prefilledAmount, currency) ?? '');
  const [isFromChip, setIsFromChip] = useState(draft.isFromChip);
  const [state, setState] = useState(() => initialFieldState());
  const [fault, setFault] = useState<AmountTextError>();
  const shown = showAmount(typed, writing);
  const canonical = fixed ?? (typed === '' ? undefined : typed.replace(/\.$/, ''));
  const pattern = usePattern(method);
  const error: AmountError | undefined =
    fixed === undefined ? (missing ?? checkAmount(canonical, limits, pattern)) : undefined;
  const paymentSessionId = usePaymentSession(
    draft.amount === undefined || fixed !== undefined ? undefined : canonical,
    limits,
    pendingGroup,
  );
  // Leading the person to a mistake gives the field the focus, and must not take the words about it away.
  const isLed = useRef(false);
  const set = (next: string, fromChip: boolean) => {
    draft.amount = next;
    draft.isFromChip = fromChip;
    setTyped(next);
    setIsFromChip(fromChip);
  };
  const take = (edit: AmountEdit): ShownText => {
    isLed.current = false;
    setFault(edit.fault);
    setState((now) => fieldAfter(now, { type: 'input', value: edit.typed }));
    if (edit.typed !== typed) set(edit.typed, false);
    return edit;
  };
  return {
    shown,
    canonical,
    currency,
    limits,
    isClosed,
    error,
    shownError: missing ?? (fault === undefined ? (state.showsError ? error : undefined) : faultError(fault)),
    submit: { isTriggered: state.isTriggered, isValid: error === undefined, isFilled: canonical !== undefined },
    chips: amountChips({
      limits,
      country: session.country,
      fixedAmounts: method.fixedAmounts ?? method.recommendedAmounts,
    }),
    isFromChip,
    isProposed: draft.amount === undefined && typed !== '',
    paymentSessionId,
    reveal() {
      isLed.current = true;
      setState((now) => fieldAfter(now, { type: 'blur' }));
    },
    onEdit: (edit) => take(editAmountText(edit, writing)),
    onPaste: (text, { start, end }) => take(pasteAmount({ previous: shown, start, end, inserted: text }, writing)),
    // What is shown stays as it is: a text that changes on focus loses what Tab or a long press has selected.
    onFocus() {
      if (!isLed.current) {
        setFault(undefined);
        setState((now) => fieldAfter(now, { type: 'focus' }));
      }
      isLed.current = false;
    },
    onBlur() {
      setState((now) => fieldAfter(now, { type: 'blur' }));
    },
    choose(chip) {
      setFault(undefined);
      set(chip, true);
      setState((now) => fieldAfter(now, { type: 'change', value: chip }));
    },
  };
}

function faultError(fault: AmountTextError): AmountError {
  return { key: fault === 'ambiguous' ? PASTE_UNCLEAR_KEY : PASTE_UNREADABLE_KEY, params: {} };
}

interface KnownLimits {
  readonly limits: Limits;
  /** Why no amount can be taken at all. */
  readonly missing?: AmountError;
  readonly isClosed: boolean;
}

/** AMT-3: the catalogue's limits at once, the server's own as soon as they are there. AMT-8: an on-ramp waits for the latter. */
function useLimits(method: PaymentMethod, currency: string, isFixed: boolean): KnownLimits {
  const { api } = useServices();
  const { country } = useSession();
  const { data, isError } = useQuery({
    queryKey: ['limits', method.name, currency],
    enabled: !isFixed,
    queryFn: ({ signal }) => api.call(depositLimits, { currency, paymentMethod: method.name }, { signal }),
  });
  return useMemo(() => {
    const rule = method.amount_rules[currency];
    if (cardViewOfCode(method.cardViewType) === 'onramp' && (rule === undefined || data == null)) {
      const limits = onrampCryptoLimits(currency, data);
      if (limits !== undefined) return { limits, isClosed: false };
      const none = { limits: { currency, min: undefined, max: undefined }, isClosed: true };
      return isError ? { ...none, missing: { key: ONRAMP_LIMITS_MISSING_KEY, params: {} } } : none;
    }
    // The server holds an amount against the catalogue's own rule too, where there is one: "at least 1" would mislead.
    return { limits: methodLimits({ currency, country, rule, server: data }), isClosed: false };
  }, [currency, country, method, data, isError]);
}

/** AMT-8: a method's own rule for the amount; one that cannot be used is reported and skipped: the server checks again. */
function usePattern({ flags, name }: PaymentMethod): AmountPattern | undefined {
  const { post } = useServices();
  const regex = flags.ownAmountRegex;
  const rule = regex === undefined ? undefined : compileRule(regex);
  const fault = rule?.ok === false ? rule.fault : undefined;
  useEffect(() => {
    if (fault !== undefined) post(skippedRule(name, 'amount', fault));
  }, [post, name, fault]);
  return rule?.ok ? { test: rule.matches, errorKey: 'amount.pattern' } : undefined;
}

/** What the host hears about a rule that could not be used (FORM-2). */
export function skippedRule(method: string, field: string, fault: string) {
  const message = `A rule of ${field} of ${method} was skipped: ${fault}.`;
  return { messageType: 'error', payload: { code: 'invalid-response', message } } as const;
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
