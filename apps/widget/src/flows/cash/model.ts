/** The agents of a cash payment, and what the payer must tell them (DEP-13). Pure. Links that may not be opened are left out. */
import type { DepositData, PaymentMethod } from '@opencashier/contract/api';
import { safeLink } from '@opencashier/core/links/safe-link';
import type { ListedLink } from '../../kit/link/link-list.tsx';
import { linkPolicyOf } from '../../kit/link/link-policy.ts';
import { type PaymentRow, paymentRow, requisiteRows } from '../../kit/payment/payment-requisites.ts';

type Answer = Pick<DepositData, 'details' | 'buttonPay' | 'requisites'>;
type Method = Pick<PaymentMethod, 'flags'>;

/**
 * The agents in the answer. Otherwise its only link, otherwise the link of the method in the catalogue.
 * @param unnamed the name for an agent without a name
 */
export function agentsOf(answer: Answer, method: Method, unnamed: string): ListedLink[] {
  const policy = linkPolicyOf(method);
  const told = (answer.details ?? []).filter(({ type }) => type?.toLowerCase() === 'agent');
  const named = told.flatMap(({ name, value }) => {
    const href = safeLink(value, policy);
    return href === undefined ? [] : [{ name: name.trim() === '' ? unnamed : name, href }];
  });
  if (named.length > 0) return named;
  const href = safeLink(answer.buttonPay, policy) ?? agentLinkOf(method);
  return href === undefined ? [] : [{ name: unnamed, href }];
}

/** The contact that the catalogue has for the method, if it may be opened. */
export function agentLinkOf(method: Method): string | undefined {
  return safeLink(method.flags.agentLink, linkPolicyOf(method));
}

/** What the payer must tell the agent: every other detail, and the requisites. */
export function cashRows(answer: Answer): PaymentRow[] {
  const details = (answer.details ?? []).filter(({ type, value }) => !isContact(type) && value.trim() !== '');
  return [
    ...details.map(({ name, value }, index) => paymentRow(`${index}-${name}`, name, value)),
    ...requisiteRows(answer),
  ];
}

const isContact = (type: string | undefined): boolean => /^(?:agent|link|qr)$/i.test(type ?? '');
