/** The amount of a deposit while the user types it: the shown text, its meaning and its errors (AMT-1 to AMT-8). */
import type { PaymentMethod } from '@opencashier/contract/api';
import { amountChips, prefilledAmount } from '@opencashier/core/amount/amount-choices';
import { randomBelow, SESSION_DEBOUNCE_MS, sessionAmount } from '@opencashier/core/amount/session-amount';
import { type AmountError, type AmountPattern, checkAmount } from '@opencashier/core/limits/check-amount';
import {
  type Limits,
  methodLimits,
  ONRAMP_LIMITS_MISSING_KEY,
  onrampCryptoLimits,
} from '@opencashier/core/limits/limits';
import { cardViewOfCode } from '@opencashier/core/methods/card-view';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { methodCalls } from '../../api/fetch-methods.ts';
import { useFieldCode } from '../form/field-code.ts';
import { draftOf } from '../session/drafts.ts';
import { hostAmount } from '../session/host-start.ts';
import { useServices, useSession } from '../session/services.tsx';
import { limitsQuery } from './limits-query.ts';
import { type TypedAmount, useTypedAmount } from './typed-amount.ts';

export interface AmountField extends TypedAmount {
  readonly currency: string;
  readonly limits: Limits;
  /** An on-ramp needs its limits first (AMT-8). Until then nothing can be typed. */
  readonly isClosed: boolean;
  /** Closed, and the limits are on their way. */
  readonly isWaiting: boolean;
  readonly chips: readonly string[];
  /** Chips that cannot be chosen now, and keep their place. */
  readonly closedChips?: readonly string[];
  /** The last payment session that was opened for this amount (AMT-7). */
  readonly paymentSessionId: string | undefined;
}

/** The amount of a deposit, which the server may refuse by its own limits. */
export interface DepositAmount extends AmountField {
  /** Shows the server's refusal at the amount. False when the refusal is not about this amount. */
  refuse(refusal: ClientError): boolean;
}

/** What the server refused in `currency`: its limits in minor units, and the refused amount. */
interface Refusal {
  readonly currency: string;
  readonly min?: bigint;
  readonly max?: bigint;
  readonly amount?: string | undefined;
}

/**
 * @param pendingGroup the group in which the method was chosen, for the payment session
 * @param fixed the amount where the user does not choose it. It is neither checked nor asked about
 */
export function useAmount(method: PaymentMethod, pendingGroup?: string, fixed?: string): DepositAmount {
  const services = useServices();
  const session = useSession();
  const { currency } = session;
  const known = useLimits(method, currency, fixed !== undefined);
  const { missing, isClosed } = known;
  const [refusal, setRefusal] = useState<Refusal>({ currency });
  const limits = withRefused(known.limits, refusal);
  const draft = draftOf(services, method.name, currency);
  const pattern = usePattern(method);
  const start = prefilledAmount(hostAmount(session, 'deposit') ?? method.prefilledAmount, currency);
  const typed = useTypedAmount(draft, limits, start, (canonical) => {
    if (fixed !== undefined) return undefined;
    const isRefused = canonical !== undefined && canonical === refusal.amount && refusal.currency === currency;
    return missing ?? checkAmount(canonical, limits, pattern) ?? (isRefused ? REFUSED : undefined);
  });
  const canonical = fixed ?? typed.canonical;
  const paymentSessionId = usePaymentSession(
    draft.amount === undefined || fixed !== undefined ? undefined : canonical,
    limits,
    pendingGroup,
  );
  return {
    ...typed,
    canonical,
    currency,
    limits,
    isClosed,
    // Missing limits are not the user's mistake, so they are shown before anything is typed.
    shownError: missing ?? typed.shownError,
    submit: { ...typed.submit, isFilled: canonical !== undefined },
    isWaiting: isClosed && missing === undefined,
    // Without limits the form would offer every preset amount, and the server would refuse them all.
    chips: isClosed
      ? []
      : amountChips({
          limits,
          country: session.country,
          fixedAmounts: method.fixedAmounts ?? method.recommendedAmounts,
        }),
    paymentSessionId,
    refuse(failure) {
      const refused = refusalOf(failure, canonical, currency);
      if (fixed !== undefined || refused === undefined) return false;
      setRefusal((all) => ({ ...(all.currency === currency && all), ...refused }));
      typed.reveal();
      // The shown limits are out of date.
      void services.queries.invalidateQueries({ queryKey: limitsQuery(services, method.name, currency).queryKey });
      return true;
    },
  };
}

/** The method's own rule, or the server, refuses the amount. */
const REFUSED: AmountError = { key: 'amount.pattern', params: {} };

/** Undefined where the error is not about the amount, or where the amount is within the named limit. */
function refusalOf(
  { code, params, fields }: ClientError,
  canonical: string | undefined,
  currency: string,
): Refusal | undefined {
  const minorOf = (text: string | undefined) => {
    const parsed = parseDecimal(text ?? '', decimalsOf(currency));
    return parsed.ok ? parsed.minor : undefined;
  };
  const asked = minorOf(canonical);
  const [min, max] = [minorOf(params['min']), minorOf(params['max'])];
  if (asked === undefined) return undefined;
  if (code === 'limit-min' && min !== undefined && asked < min) return { currency, min };
  if (code === 'limit-max' && max !== undefined && asked > max) return { currency, max };
  return fields.some(({ path }) => path === 'amount') ? { currency, amount: canonical } : undefined;
}

function withRefused(limits: Limits, { currency, min, max }: Refusal): Limits {
  if (currency !== limits.currency) return limits;
  return { ...limits, min: min ?? limits.min, max: max ?? limits.max };
}

interface KnownLimits {
  readonly limits: Limits;
  /** Why no amount is possible at all. */
  readonly missing?: AmountError;
  readonly isClosed: boolean;
}

/**
 * The catalogue's limits at once, and the server's own as soon as they are there (AMT-3). An on-ramp waits for the server's
 * limits (AMT-8).
 */
function useLimits(method: PaymentMethod, currency: string, isFixed: boolean): KnownLimits {
  const services = useServices();
  const { country } = useSession();
  const { data, isError } = useQuery({ ...limitsQuery(services, method.name, currency), enabled: !isFixed });
  return useMemo(() => {
    const rule = method.amount_rules[currency];
    if (cardViewOfCode(method.cardViewType) === 'onramp' && (rule === undefined || data == null)) {
      const limits = onrampCryptoLimits(currency, data);
      if (limits !== undefined) return { limits, isClosed: false };
      const none = { limits: { currency, min: undefined, max: undefined }, isClosed: true };
      return isError ? { ...none, missing: { key: ONRAMP_LIMITS_MISSING_KEY, params: {} } } : none;
    }
    // The server also applies the catalogue's rule, where there is one. So a default such as "at least 1" would mislead.
    return { limits: methodLimits({ currency, country, rule, server: data }), isClosed: false };
  }, [currency, country, method, data, isError]);
}

/**
 * The method's own rule for the amount (AMT-8). A rule that cannot be compiled is reported and skipped, because the server checks
 * again.
 */
function usePattern({ flags, name }: PaymentMethod): AmountPattern | undefined {
  const { post } = useServices();
  const regex = flags.ownAmountRegex;
  const code = useFieldCode(regex !== undefined);
  const rule = regex === undefined ? undefined : code?.compileRule(regex);
  const fault = rule?.ok === false ? rule.fault : undefined;
  useEffect(() => {
    if (fault !== undefined) post(skippedRule(name, 'amount', fault));
  }, [post, name, fault]);
  return rule?.ok ? { test: rule.matches, errorKey: 'amount.pattern' } : undefined;
}

/** The message to the host about a rule that could not be used (FORM-2). */
export function skippedRule(method: string, field: string, fault: string) {
  const message = `A rule of ${field} of ${method} was skipped: ${fault}.`;
  return { messageType: 'error', payload: { code: 'invalid-response', message } } as const;
}

/**
 * Tells the server that a payment is near, once the user has not typed for half a second (AMT-7). It is a hint, so a failure is
 * only measured.
 */
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
      methodCalls(clock)
        .then(({ calls }) => api.call(calls.sessionStart, request, { signal: aborter.signal }))
        .then(
          ({ paymentSessionId }) => setOpened(paymentSessionId),
          (error: unknown) => {
            if (error instanceof ClientError) metric('session-start.failed', error.code);
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
