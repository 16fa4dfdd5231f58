/** The agents of a cash payment and what they have to be told (DEP-13). Pure; a link that may not be opened is left out. */
import type { DepositData, PaymentMethod } from '@opencashier/contract/api';
import { safeLink } from '@opencashier/core/links/safe-link';
import type { ListedLink } from '../../kit/link/link-list.tsx';
import { linkPolicyOf } from '../../kit/link/link-policy.ts';
import { type PaymentRow, paymentRow, requisiteRows } from '../../kit/payment/payment-requisites.ts';

type Answer = Pick<DepositData, 'details' | 'buttonPay' | 'requisites'>;
type Method = Pick<PaymentMethod, 'flags'>;

/**
 * The agents that the answer names; else its one link, else the one that the catalogue has for the method.
 * @param unnamed what an agent without a name is called
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

/** What the agent wants to hear: every other detail, and the requisites. */
export function cashRows(answer: Answer): PaymentRow[] {
  const details = (answer.details ?? []).filter(({ type, value }) => !isContact(type) && value.trim() !== '');
  return [
    ...details.map(({ name, value }, index) => paymentRow(`${index}-${name}`, name, value)),
    ...requisiteRows(answer),
  ];
}

const isContact = (type: string | undefined): boolean => /^(?:agent|link|qr)$/i.test(type ?? '');
