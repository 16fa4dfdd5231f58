/**
 * The amount of a withdrawal while the user types it: checked by limits and balance, and split into fee and payout (WD-2, WD-3).
 */
import type { AccountType, FeeRule, MethodList, PaymentMethod, PayoutAccount } from '@opencashier/contract/api';
import { amountChips, prefilledAmount } from '@opencashier/core/amount/amount-choices';
import { type AmountError, checkAmount } from '@opencashier/core/limits/check-amount';
import { type Limits, methodLimits, stepOf } from '@opencashier/core/limits/limits';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { BALANCE_EXCEEDED_KEY, checkWithdrawalAmount } from '@opencashier/core/withdrawal/withdrawal-amount';
import { leastAmount, splitWithdrawal } from '@opencashier/core/withdrawal/withdrawal-fee';
import { useState } from 'react';
import { useTypedAmount } from '../amount/typed-amount.ts';
import type { AmountField } from '../amount/use-amount.ts';
import { draftOf } from '../session/drafts.ts';
import { hostAmount } from '../session/host-start.ts';
import { useServices, useSession } from '../session/services.tsx';

/** Decimal strings in the amount's currency. `fee` and `receives` add up to the amount. */
export interface Split {
  readonly fee: string;
  readonly receives: string;
}

export interface WithdrawalAmount extends AmountField {
  /** The balance of the chosen account; undefined until the server answers. */
  readonly balance: string | undefined;
  /** The largest amount that can be withdrawn; undefined when it is less than the minimum. */
  readonly all: string | undefined;
  /**
   * The form was on the screen before the balance was known. So what the balance closes keeps its place, and nothing moves (UI-5).
   */
  readonly keepsPlaces: boolean;
  readonly fees: FeeRule | undefined;
  /** The split that the server will compute; undefined while the amount cannot be withdrawn. */
  readonly split: Split | undefined;
  /** The server refused the amount; from now on its limit holds. False when the refusal is not about the amount. */
  refuse(code: string, params: Readonly<Record<string, string>>): boolean;
}

/** Limits from the server's refusals, which the list did not have yet. */
interface Refusal {
  /** The card to which `max` belongs. */
  readonly cardId?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly balance?: { readonly of: string; readonly list: MethodList };
}

/** The name of a withdrawal's draft. It differs from the draft of a deposit by the same method. */
export const withdrawalDraft = (method: Pick<PaymentMethod, 'name'>): string => `withdrawal ${method.name}`;

/** For an amount above the part of the balance that can be withdrawn. */
const AVAILABLE_KEY = 'form.amountInput.limit.available';

/**
 * @param available the part of the balance that can be withdrawn now, if it is not all
 * @param card the account that gets the money, where it limits the amount
 */
export function useWithdrawalAmount(
  method: PaymentMethod,
  list: MethodList,
  accountType: AccountType,
  available?: string,
  card?: Pick<PayoutAccount, 'accountId' | 'max'>,
): WithdrawalAmount {
  const services = useServices();
  const session = useSession();
  const { currency, country } = session;
  const [refusal, setRefusal] = useState<Refusal>({});
  const account = accountType === 'additional' ? list.additionalBalance : list.balance;
  // A list that is newer than the refusal replaces the refusal.
  const refused = refusal.balance?.list === list ? refusal.balance.of : undefined;
  const balance = refused ?? available ?? (account?.currency === currency ? account.amount : undefined);
  const fees = method.fees?.[currency];
  const ofMethod = method.amount_rules[currency];
  const rule = card?.max === undefined ? ofMethod : { min: '0', ...ofMethod, max: card.max };
  const refusedMax = refusal.cardId === card?.accountId ? refusal.max : undefined;
  const server = { min: refusal.min ?? rule?.min ?? '0', max: refusedMax ?? rule?.max ?? '0' };
  const isBoundRefused = refusal.min !== undefined || refusedMax !== undefined;
  const known = methodLimits({ currency, country, rule, ...(isBoundRefused ? { server } : {}) });
  const limits = withLeast(known, fees);
  const check = (canonical: string | undefined): AmountError | undefined => {
    if (balance === undefined) return checkAmount(canonical, limits);
    const error = checkWithdrawalAmount(canonical, limits, balance);
    return error?.key === BALANCE_EXCEEDED_KEY && available !== undefined ? { ...error, key: AVAILABLE_KEY } : error;
  };
  const draft = draftOf(services, withdrawalDraft(method), currency);
  const start = prefilledAmount(hostAmount(session, 'withdrawal') ?? method.prefilledAmount, currency);
  const typed = useTypedAmount(draft, limits, start, check);
  const most = mostOf(limits, balance);
  const [keepsPlaces] = useState(balance === undefined);
  const chipsWithin = (max: bigint | undefined) =>
    amountChips({
      limits: { ...limits, max },
      country,
      fixedAmounts: method.fixedAmounts ?? method.recommendedAmounts,
    });
  const within = chipsWithin(most);
  const chips = keepsPlaces ? chipsWithin(limits.max) : within;
  return {
    ...typed,
    currency,
    limits,
    balance,
    all: most === undefined || balance === undefined || isBelow(most, limits.min) ? undefined : written(most, currency),
    fees,
    split: typed.error === undefined ? splitOf(typed.canonical, currency, fees) : undefined,
    isClosed: false,
    isWaiting: false,
    keepsPlaces,
    chips,
    closedChips: chips.filter((chip) => !within.includes(chip)),
    paymentSessionId: undefined,
    refuse(code, { min, max }) {
      if (code === 'limit-min' && min !== undefined) setRefusal((all) => ({ ...all, min }));
      else if (code === 'limit-max' && max !== undefined)
        setRefusal((all) => ({ ...all, max, cardId: card?.accountId }));
      else if ((code === 'insufficient-funds' || code === 'playthrough-required') && max !== undefined) {
        setRefusal((all) => ({ ...all, balance: { of: max, list } }));
      } else return false;
      typed.reveal();
      // The list is out of date, too.
      void services.queries.invalidateQueries({ queryKey: ['methods'] });
      return true;
    },
  };
}

/** Raises the minimum to the smallest amount of which something arrives after the fee. */
function withLeast(limits: Limits, fees: FeeRule | undefined): Limits {
  if (fees === undefined) return limits;
  const least = leastAmount(limits.currency, fees);
  return limits.min === undefined || limits.min < least ? { ...limits, min: least } : limits;
}

/** The largest amount in steps that the provider can pay, such as whole yen. */
function mostOf(limits: Limits, balance: string | undefined): bigint | undefined {
  const { currency, max } = limits;
  const available = parseDecimal(balance ?? '', decimalsOf(currency));
  if (!available.ok) return max;
  const payable = available.minor - (available.minor % stepOf(limits));
  return max === undefined || payable < max ? payable : max;
}

const isBelow = (minor: bigint, min: bigint | undefined): boolean => minor <= 0n || (min !== undefined && minor < min);

const written = (minor: bigint, currency: string): string => toDecimalString(minor, decimalsOf(currency));

function splitOf(canonical: string | undefined, currency: string, fees: FeeRule | undefined): Split | undefined {
  const amount = parseDecimal(canonical ?? '', decimalsOf(currency));
  if (!amount.ok) return undefined;
  const { fee, receives } = splitWithdrawal(amount.minor, currency, fees);
  return { fee: written(fee, currency), receives: written(receives, currency) };
}
