/** Withdrawals to cards that paid, by refunds of their payments (WD-2): which cards a user may choose, and what each can get. */
import type { PayoutAccount } from '@opencashier/contract/api';
import { methodLimits } from '@opencashier/core/limits/limits';
import { arrivesOf } from '@opencashier/core/payout/aggregate';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Caller } from '../operators/caller.ts';
import { chooseAccount } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { accountOfCard, listRefundableCards, type RefundableCard } from '../payout-refunds/paid-cards.ts';
import type { CardPayout } from '../payout-refunds/payout-refunds.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

type Ports = Pick<PaymentsCore, 'database' | 'catalogue' | 'providers' | 'connections'>;

/** The card of a withdrawal, as it is stored with the request. */
export type ChosenCard = Pick<RefundableCard, 'id' | 'label'>;

interface Asked {
  readonly caller: Caller;
  readonly paymentMethod: string;
  readonly currency: string;
}

/**
 * The cards that a method can pay out to, as saved accounts. The limit of each is its rest, or the method's maximum where that is lower.
 * @returns undefined when the method does not pay to cards that paid
 */
export async function cardAccounts(core: Ports, asked: Asked): Promise<PayoutAccount[] | undefined> {
  const method = methodOf(core, asked);
  if (!paysToPaidCards(method)) return undefined;
  const { currency, caller } = asked;
  const { min = 0n, max: most } = methodLimits({
    currency,
    rule: method.amount_rules[currency],
    country: caller.country,
  });
  const cards = await cardsOf(core, method, asked);
  return (
    cards
      // Nobody could withdraw the rest of a card that is below the minimum.
      .filter(({ max }) => max >= min)
      .map((card) => accountOfCard({ ...card, max: most !== undefined && most < card.max ? most : card.max }, currency))
  );
}

/**
 * The card that a request chose.
 * @returns undefined when the method does not pay to cards that paid
 * @throws DomainError banking.paymentMethodRegex when the user has no such card, or nothing of its payments is left
 */
export async function chosenCard(
  core: Ports,
  asked: Asked,
  accountId: string | undefined,
): Promise<ChosenCard | undefined> {
  const method = methodOf(core, asked);
  if (!paysToPaidCards(method)) return undefined;
  const card = (await cardsOf(core, method, asked)).find(({ id }) => id === accountId);
  if (card !== undefined) return { id: card.id, label: card.label };
  throw new DomainError('banking.paymentMethodRegex', 'Choose a card that paid a deposit', {
    fields: [{ path: 'payoutAccountId', message: 'is not a card of this user with payments that can be refunded' }],
  });
}

/** The refunds that pay a withdrawal; undefined: it is not paid by refunds. */
export function cardPayoutOf(row: WithdrawalRow): CardPayout | undefined {
  const { id, operatorId, userId, provider, connectionId, currency, request } = row;
  if (request.card === undefined) return undefined;
  const receives = arrivesOf(row).minor;
  return { id, operatorId, userId, provider, connectionId, currency, cardId: request.card, receives };
}

function methodOf({ catalogue }: Ports, { caller, paymentMethod, currency }: Asked): CatalogueMethod | undefined {
  const method = catalogue.method({ operatorId: caller.operatorId, name: paymentMethod, currency });
  return method?.directions.includes('withdrawal') ? method : undefined;
}

function paysToPaidCards(method: CatalogueMethod | undefined): method is CatalogueMethod {
  return method?.flags.paysToPaidCards === true;
}

async function cardsOf(
  core: Ports,
  { provider }: CatalogueMethod,
  { caller: { operatorId, userId }, currency }: Asked,
): Promise<RefundableCard[]> {
  const account = chooseAccount(core, operatorId, provider, currency);
  if (account === undefined) return [];
  // A refund leaves through the account that took the payment.
  const connectionId = account.connection?.id ?? null;
  return listRefundableCards(core.database, { operatorId, userId, provider, connectionId, currency });
}
