/** The payee of a manual transfer, as rows to read and copy (DEP-11, DEP-12). */
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

/** Values that the payer only recognises and never types. */
const readOnly: ReadonlySet<string> = new Set(['bank_name', 'payment_system']);

/** Rows of a payee, without empty values. A card's number is shown in groups of four and copied whole (§9). */
export function payeeRows(card: PayeeCard, translate: (key: string) => string): PaymentRow[] {
  return parts.flatMap((part) => {
    const value = card[part]?.trim() ?? '';
    if (value === '') return [];
    const choices = { isCard: part === 'number', isCopyable: !readOnly.has(part) };
    return [paymentRow(part, translate(`payee.${part}`), value, choices)];
  });
}

/** Whether the payer has a number to pay to. */
export function namesPayee(card: PayeeCard): boolean {
  const { number, phone, bank_account, account_number } = card;
  return [number, phone, bank_account, account_number].some((value) => value !== undefined && value.trim() !== '');
}
