/** The cards that paid deposits of a user, and what each can get back (WD-2). */
import type { PayoutAccount } from '@opencashier/contract/api';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { MAX_REFUNDS, type RefundablePayment, refundableSum } from '@opencashier/core/payout/plan-refunds';
import type { AskedPart } from '@opencashier/core/withdrawal/destination';
import type { Queryable, Transaction } from '../database/database.ts';
import { isStorableText } from '../database/storable-text.ts';
import type { DepositReport } from '../providers/provider.ts';

/** The name of the destination's only part, as the catalogue's field. */
const CARD_FIELD = 'cardNumber';

/** The cards that a form offers. */
const MAX_CARDS = 10;

/** The most payments of a card that are read, so that a busy card costs no more than another. */
const MAX_PAYMENTS = 200;

/** Stripe and the card networks refuse refunds of older payments, or let them fail later. Days. */
export const REFUND_WITHIN_DAYS = 180;

/** Whose cards, in which account at the provider. */
export interface CardsOf {
  readonly operatorId: string;
  readonly userId: string;
  readonly provider: string;
  readonly connectionId: string | null;
  readonly currency: string;
}

/** A card that a user may choose. */
export interface RefundableCard {
  readonly id: string;
  /** `Visa •••• 4242`. */
  readonly label: string;
  /** The most that can be paid out to it, in minor units. */
  readonly max: bigint;
}

/** A payment of a card, with its deposit. */
export interface CardPayment extends RefundablePayment {
  readonly depositId: string;
}

/** Stores which card made a payment. A payment whose provider reports no card cannot be paid out by refund. */
export async function storePaidCard(
  transaction: Transaction,
  deposit: {
    readonly operatorId: string;
    readonly userId: string;
    readonly id: string;
    readonly connectionId: string | null;
  },
  { provider, providerRef, card }: DepositReport,
): Promise<void> {
  if (card === undefined || !isStorableText(card.id + card.brand) || !/^\d{4}$/.test(card.last4)) return;
  await transaction.query({
    name: 'paid-card-store',
    text: `with card as (
        insert into paid_card (operator_id, user_id, provider, connection_id, provider_card, brand, last4)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict on constraint paid_card_once do update set brand = excluded.brand, last4 = excluded.last4 returning id
      )
      insert into payment_card (operator_id, payment_id, card_id)
      select $1, payment.id, card.id from payment, card
      where payment.operator_id = $1 and payment.deposit_id = $8 and payment.provider_ref = $9 and payment.origin = 'deposit'
      on conflict do nothing`,
    values: [
      deposit.operatorId,
      deposit.userId,
      provider,
      deposit.connectionId,
      card.id,
      card.brand,
      card.last4,
      deposit.id,
      providerRef,
    ],
  });
}

/** The cards that can get something back, the newest card first. */
export async function listRefundableCards(queryable: Queryable, of: CardsOf): Promise<RefundableCard[]> {
  const cards = await queryable.query<{ id: string; brand: string; last4: string }>({
    name: 'paid-cards',
    text: `select id, brand, last4 from paid_card
      where operator_id = $1 and user_id = $2 and provider = $3 and connection_id is not distinct from $4::uuid
        and exists (select 1 from payment_card join payment on payment.operator_id = payment_card.operator_id and payment.id = payment_id
          where payment_card.operator_id = $1 and card_id = paid_card.id and currency = $5 and state = 'credited')
      order by created_at desc, id limit $6`,
    values: [of.operatorId, of.userId, of.provider, of.connectionId, of.currency, MAX_CARDS],
  });
  const found: RefundableCard[] = [];
  for (const { id, brand, last4 } of cards) {
    const max = refundableSum(await refundablePayments(queryable, of, id));
    if (max > 0n) found.push({ id, label: `${brand} •••• ${last4}`, max });
  }
  return found;
}

/**
 * The payments of a card of which something is left, the newest first: a new card is most likely still open, and a refunded payment can
 * no longer be disputed.
 */
export function refundablePayments(queryable: Queryable, of: CardsOf, cardId: string): Promise<CardPayment[]> {
  return queryable.query<CardPayment>({
    name: 'refundable-payments',
    text: `select "paymentId", "depositId", rest from (
        select payment.id as "paymentId", payment.deposit_id as "depositId", payment.credited_at,
          rest_of_payment(payment.operator_id, payment.id) as rest
        from payment_card
          join payment on payment.operator_id = payment_card.operator_id and payment.id = payment_card.payment_id
          join deposit on deposit.operator_id = payment.operator_id and deposit.id = payment.deposit_id
          join paid_card on paid_card.operator_id = payment_card.operator_id and paid_card.id = payment_card.card_id
        where payment_card.operator_id = $1 and payment_card.card_id = $2 and paid_card.user_id = $3 and paid_card.provider = $4
          and paid_card.connection_id is not distinct from $5::uuid and deposit.connection_id is not distinct from $5::uuid
          and payment.currency = $6 and payment.state = 'credited' and payment.origin = 'deposit'
          and deposit.state = 'credited' and deposit.user_id = $3 and deposit.review is null and deposit.box is null
          and payment.credited_at > now() - make_interval(days => $7)
        order by payment.credited_at desc, payment.id limit $8) newest
      where rest > 0 order by credited_at desc, "paymentId" limit $9`,
    values: [
      of.operatorId,
      cardId,
      of.userId,
      of.provider,
      of.connectionId,
      of.currency,
      REFUND_WITHIN_DAYS,
      MAX_PAYMENTS,
      MAX_REFUNDS,
    ],
  });
}

/** A card as a saved account of the form. */
export function accountOfCard({ id, label, max }: RefundableCard, currency: string): PayoutAccount {
  return {
    accountId: id,
    destination: destinationOfCard(label),
    max: toDecimalString(max, decimalsOf(currency)),
  };
}

/** The destination that the user confirms. The label is masked already. */
export function destinationOfCard(label: string): AskedPart[] {
  return [{ name: CARD_FIELD, value: label, isChoice: true }];
}
