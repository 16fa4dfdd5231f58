/** Statements that tamper with payments, refunds and disputes, and the rule that refuses each. */
import { randomUUID } from 'node:crypto';
import { type Case, journal, type Line, paymentRow } from './tampering-cases.fixture.ts';

const paymentOf = (deposit: string): string => `(select id from payment where deposit_id = '${deposit}')`;

/** Inserts a dispute of the credited payment of 500.00 INR, by the report that credited it. */
const disputeRow = (deposit: string, amount: number, id: string = randomUUID(), state = 'open'): string =>
  `insert into dispute (id, operator_id, deposit_id, payment_id, provider, event_id, state, currency, amount)
    select '${id}', 'op', '${deposit}', ${paymentOf(deposit)}, provider, event_id, '${state}', 'INR', ${amount} from deposit_event
    where deposit_id = '${deposit}' and reported = 'paid'`;

export const payments: Case[] = [
  [
    'a credited payment without a journal',
    'payment_booked',
    (scene) => [
      ...paymentRow(randomUUID(), scene.open, { ref: `ref-${scene.open}`, amount: 50_000 }),
      `update deposit set state = 'credited' where id = '${scene.open}'`,
    ],
  ],
  [
    'a second credited payment of origin deposit',
    'payment_of_deposit_once',
    (scene) => paymentRow(randomUUID(), scene.credited, { ref: 'other', amount: 100 }),
  ],
  [
    'a payment reported twice',
    'payment_reported_once',
    (scene) => paymentRow(randomUUID(), scene.open, { ref: `ref-${scene.credited}`, amount: 100 }),
  ],
  ['a dispute beyond what is left', 'payment_left_not_negative', (scene) => [disputeRow(scene.credited, 50_001)]],
  ['a dispute without a journal', 'dispute_booked', (scene) => [disputeRow(scene.credited, 100)]],
  [
    'a dispute with another amount than its journal',
    'deposit_reversal_agrees',
    (scene) => {
      const dispute = randomUUID();
      const lines: Line[] = [
        ['fake', 'provider_clearing', 200],
        [scene.userId, 'user', -200],
      ];
      const [book = '', ...accounts] = journal({
        kind: 'deposit_reversal',
        deposit: scene.credited,
        payment: scene.credited,
        dispute,
        lines,
      }).reverse();
      const named = book.replace(`'${scene.credited}', '${dispute}'`, `${paymentOf(scene.credited)}, '${dispute}'`);
      return [disputeRow(scene.credited, 100, dispute), ...accounts, named];
    },
  ],
  [
    'a dispute that begins as won',
    'dispute_transition_allowed',
    (scene) => [disputeRow(scene.credited, 100, randomUUID(), 'won')],
  ],
  [
    'a forbidden move of a payment',
    'payment_transition_allowed',
    (scene) => [`update payment set state = 'in_review' where deposit_id = '${scene.credited}'`],
  ],
  [
    'a charged back payment without a dispute',
    'payment_state_agrees',
    (scene) => [`update payment set state = 'charged_back' where deposit_id = '${scene.credited}'`],
  ],
  [
    'a changed amount of a payment',
    'payment_immutable',
    (scene) => [`update payment set amount = 90000 where deposit_id = '${scene.credited}'`],
  ],
  ['a deleted payment', 'ledger_immutable', (scene) => [`delete from payment where deposit_id = '${scene.credited}'`]],
  [
    'a deposit under review without a payment under review',
    'deposit_payments_agree',
    (scene) => [`update deposit set review = 'late', reviews = 1 where id = '${scene.open}'`],
  ],
  [
    'a sent refund that was never requested',
    'payment_state_agrees',
    (scene) => [
      `insert into refund (operator_id, refund_id, deposit_id, payment_id, origin, amount, currency, staff, state)
        values ('op', gen_random_uuid(), '${scene.credited}', ${paymentOf(scene.credited)}, 'operator', 50000, 'INR', 'eve', 'succeeded')`,
    ],
  ],
];
