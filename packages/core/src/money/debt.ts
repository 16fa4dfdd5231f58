/** Debts after a chargeback of money that was already spent, and how they are paid (SRV-2). Minor units of one currency. */
import { smaller } from './arithmetic.ts';
import { decimalsOf } from './currencies.ts';
import { parseDecimal, toDecimalString } from './money.ts';

/** A reversed amount, split into the part from the balance and the part that becomes a debt. */
export interface ReversalSplit {
  readonly taken: bigint;
  readonly owed: bigint;
}

/**
 * Splits a reversal: the balance pays as much as it holds, so that no balance falls below zero. The rest becomes a debt.
 * @param amount not negative
 * @param balance not negative: the available balance
 */
export function splitReversal(amount: bigint, balance: bigint): ReversalSplit {
  const taken = smaller(amount, balance);
  return { taken, owed: amount - taken };
}

/** A credit to a user with a debt, split into the part that pays the debt and the rest. Together they are the credit. */
export interface CreditSplit {
  readonly toDebt: bigint;
  readonly toUser: bigint;
}

/**
 * Pays the debt first, and never more than the debt.
 * @param amount not negative
 * @param debt not negative
 */
export function payDebtFirst(amount: bigint, debt: bigint): CreditSplit {
  const toDebt = smaller(amount, debt);
  return { toDebt, toUser: amount - toDebt };
}

/**
 * The part of a credited deposit that reached the balance after its fee and a debt were paid (DEP-15). Decimal strings of `currency`.
 * @returns undefined when an amount cannot be read, because the screen must not show too much
 */
export function creditedToBalance(
  finalAmount: string,
  { paidDebt, fee }: { readonly paidDebt?: string | undefined; readonly fee?: string | undefined },
  currency: string,
): string | undefined {
  if (paidDebt === undefined && fee === undefined) return finalAmount;
  const decimals = decimalsOf(currency);
  const [credited, toDebt, charged] = [finalAmount, paidDebt ?? '0', fee ?? '0'].map((text) =>
    parseDecimal(text, decimals),
  );
  if (!credited?.ok || !toDebt?.ok || !charged?.ok) return undefined;
  return toDecimalString(credited.minor - toDebt.minor - charged.minor, decimals);
}

/** The amount that a settlement of a debt pays, or why it cannot: above the debt, or above the funds. */
export type DebtPayment =
  | { readonly kind: 'pays'; readonly amount: bigint }
  | { readonly kind: 'not-owed' }
  | { readonly kind: 'not-there' };

/**
 * How much of a debt a settlement pays (SRV-2): the requested amount, or as much as possible.
 * The payment is never more than the debt or than the available funds.
 * @param asked above zero; undefined: as much as possible
 * @param available the funds of the paying account; undefined: unlimited
 */
export function debtPayment(
  debt: bigint,
  { asked, available }: { readonly asked: bigint | undefined; readonly available: bigint | undefined },
): DebtPayment {
  if (debt <= 0n || (asked !== undefined && asked > debt)) return { kind: 'not-owed' };
  const amount = asked ?? (available === undefined ? debt : smaller(debt, available));
  return amount === 0n || (available !== undefined && amount > available)
    ? { kind: 'not-there' }
    : { kind: 'pays', amount };
}
