/** The payee of a host-to-host payment. The answer may name the payee's number twice (DEP-12). Pure. */
import type { DepositData } from '@opencashier/contract/api';
import { namesPayee, payeeRows } from '../../kit/payment/payee-rows.ts';
import { type PaymentRow, requisiteRows } from '../../kit/payment/payment-requisites.ts';

/** The same text for two spellings of one number. */
const bare = (value: string): string => value.replace(/[\s-]/g, '').toLowerCase();

/** Number, account and name of the payee, then the requisites that add something new. */
export function hostToHostRows(data: DepositData, translate: (key: string) => string): PaymentRow[] {
  const card = data.card ?? {};
  const system = card.payment_system ?? data.payment_system;
  const payee = payeeRows({ ...card, ...(system === undefined ? {} : { payment_system: system }) }, translate);
  const known = new Set(payee.map(({ copied }) => bare(copied)));
  return [...payee, ...requisiteRows(data).filter(({ copied }) => !known.has(bare(copied)))];
}

/** Whether the answer names anything to pay to. */
export function isPayable(data: DepositData): boolean {
  return (data.card !== undefined && namesPayee(data.card)) || requisiteRows(data).length > 0;
}
