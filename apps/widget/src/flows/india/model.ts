/**
 * Ways to pay in an Indian answer. Each is a detail with a name, a value and a type (DEP-10). Pure; it trusts nothing in the
 * answer.
 */
import type { DepositData, PaymentMethod } from '@opencashier/contract/api';
import { safeLink } from '@opencashier/core/links/safe-link';
import type { ListedLink } from '../../kit/link/link-list.tsx';
import { linkPolicyOf } from '../../kit/link/link-policy.ts';
import { type PaymentRow, paymentRow, requisiteRows } from '../../kit/payment/payment-requisites.ts';
import { upiIdOf } from '../../kit/upi/upi-id.ts';

export interface IndiaInvoice {
  /** The answer, with the code in the field that the widget reads. */
  readonly data: DepositData;
  /** Applications whose links the method allows. */
  readonly apps: readonly ListedLink[];
  /** The payment address to type or paste. */
  readonly id: string | undefined;
  readonly rows: readonly PaymentRow[];
}

export function indiaInvoice(data: DepositData, method: Pick<PaymentMethod, 'flags'>): IndiaInvoice {
  const policy = linkPolicyOf(method);
  const details = data.details ?? [];
  const typed = (type: string) => details.filter((detail) => detail.type?.toLowerCase() === type && hasValue(detail));
  const code = [data.qrCodeText, ...typed('qr').map(({ value }) => value)].find((text) => text?.trim());
  const withCode = code === undefined ? data : { ...data, qrCodeText: code };
  const id = upiIdOf(withCode);
  const own = data.buttonPay === undefined ? [] : [{ name: 'UPI', value: data.buttonPay }];
  const intent = code?.startsWith('upi:') === true ? [{ name: 'UPI', value: code }] : [];
  const links = [...intent, ...typed('link'), ...own].flatMap(({ name, value }) => {
    const href = safeLink(value, policy);
    return href === undefined ? [] : [{ name, href }];
  });
  const others = details.filter((detail) => hasValue(detail) && !isOffer(detail.type) && detail.value !== id);
  return {
    data: withCode,
    apps: links.filter(({ href }, index) => links.findIndex((link) => link.href === href) === index),
    id,
    rows: [
      ...others.map(({ name, value }, index) => paymentRow(`${index}-${name}`, name, value)),
      ...requisiteRows(data).filter(({ copied }) => copied !== id),
    ],
  };
}

const hasValue = ({ value }: { readonly value: string }): boolean => value.trim() !== '';
const isOffer = (type: string | undefined): boolean => /^(?:qr|link)$/i.test(type ?? '');
