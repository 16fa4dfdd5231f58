/** The account that is paid, and whether its code is one that banks read. */
import type { DepositData } from '@opencashier/contract/api';
import { type PaymentRow, paymentRow, requisiteRows } from '../../kit/payment/payment-requisites.ts';

/** Account and names by which a card without requisites is paid. */
export interface AccountTitles {
  readonly account: string;
  readonly bank: string;
  readonly payee: string;
}

/** The provider's requisites, IBANs in groups of four; else the account that it told as a payee. */
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

/** ISO 13616 prints an IBAN in groups of four; what is copied stays whole. */
export function groupIban(text: string): string {
  const iban = text.replace(/\s/g, '');
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) ? iban.replace(/(.{4})(?=.)/g, '$1 ') : text;
}

/** Whether the text is a SEPA credit transfer's code; any other text of a bank is a code to scan all the same. */
export function isEpcCode(text: string | undefined): boolean {
  return /^BCD\r?\n00[12]\r?\n/.test(text ?? '');
}
