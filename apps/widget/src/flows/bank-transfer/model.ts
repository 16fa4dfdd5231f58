/** The account to pay to, and whether its code is one that banks read. */
import type { DepositData } from '@opencashier/contract/api';
import { type PaymentRow, paymentRow, requisiteRows } from '../../kit/payment/payment-requisites.ts';

/** Titles of the rows, for an answer with a payee and no requisites. */
export interface AccountTitles {
  readonly account: string;
  readonly bank: string;
  readonly payee: string;
}

/** The provider's requisites, with IBANs in groups of four; else the account of its payee. */
export function accountRows(data: DepositData, titles: AccountTitles): PaymentRow[] {
  const rows = requisiteRows(data);
  if (rows.length > 0) return rows.map((row) => ({ ...row, shown: groupIban(row.shown) }));
  const { account_number, bank_account, bank_name, fullName } = data.card ?? {};
  const entries: [string, string, string | undefined][] = [
    ['payee', titles.payee, fullName],
    ['account', titles.account, account_number ?? bank_account],
    ['bank', titles.bank, bank_name],
  ];
  return entries.flatMap(([id, title, value]) =>
    value === undefined || value.trim() === ''
      ? []
      : [{ ...paymentRow(id, title, value, { isCopyable: id !== 'bank' }), shown: groupIban(value) }],
  );
}

/** An IBAN is printed in groups of four (ISO 13616); the copied text stays whole. */
export function groupIban(text: string): string {
  const iban = text.replace(/\s/g, '');
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) ? iban.replace(/(.{4})(?=.)/g, '$1 ') : text;
}

/** Whether the text is the code of a SEPA credit transfer. A code with any other text is still shown. */
export function isEpcCode(text: string | undefined): boolean {
  return /^BCD\r?\n00[12]\r?\n/.test(text ?? '');
}
