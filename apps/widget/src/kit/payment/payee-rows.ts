/** Whom a transfer by hand goes to, as rows to read and copy (DEP-11, DEP-12). */
import type { PayeeCard } from '@opencashier/contract/api';
import { type PaymentRow, paymentRow } from './payment-requisites.ts';

/** In the order in which a bank's form asks for them. */
const parts = [
  'number',
  'phone',
  'bank_account',
  'account_number',
  'fullName',
  'bank_name',
  'payment_system',
  'transaction_description',
] as const satisfies readonly (keyof PayeeCard)[];

/** What a person only needs to recognise, not to type. */
const readOnly: ReadonlySet<string> = new Set(['bank_name', 'payment_system']);

/** Rows of a payee; empty parts are none. The number of a card stands in groups of four and is copied whole (§9). */
export function payeeRows(card: PayeeCard, translate: (key: string) => string): PaymentRow[] {
  return parts.flatMap((part) => {
    const value = card[part]?.trim() ?? '';
    if (value === '') return [];
    const choices = { isCard: part === 'number', isCopyable: !readOnly.has(part) };
    return [paymentRow(part, translate(`payee.${part}`), value, choices)];
  });
}

/** Whether there is anything to pay to. A number that is shown only in part can be recognised, but not paid. */
export function namesPayee(card: PayeeCard): boolean {
  const { number, phone, bank_account, account_number } = card;
  return [number, phone, bank_account, account_number].some((value) => value !== undefined && value.trim() !== '');
}
