/** Statements that tamper with payouts, and the rule that refuses each. */
import { randomUUID } from 'node:crypto';
import { paidReport } from './paid-report.fixture.ts';
import { type Case, journal, type Scene } from './tampering-cases.fixture.ts';

/** Inserts a payout of a withdrawal; by default of the 974.00 INR that the user receives. */
const payoutRow = (withdrawal: string, more: { readonly state?: string; readonly amount?: number } = {}): string =>
  `insert into payout (operator_id, id, withdrawal_id, provider, provider_ref, currency, amount, state)
    select operator_id, '${randomUUID()}', id, 'fake', null, 'INR', ${more.amount ?? 97_400}, '${more.state ?? 'requested'}'
    from withdrawal where id = '${withdrawal}'`;

/** Pays a held withdrawal out by hand: its payout, its state and the journal that ends the hold. */
function paidByHand(scene: Scene, paidFrom: 'provider_clearing' | 'operator_clearing'): string[] {
  return [
    payoutRow(scene.held, { state: 'paid' }),
    `update withdrawal set state = 'paid', cause = 'provider' where id = '${scene.held}'`,
    ...journal({
      kind: 'hold_end',
      withdrawal: scene.held,
      payout: `(select id from payout where withdrawal_id = '${scene.held}')`,
      source: 'hold',
      ref: scene.held,
      note: 'post',
      lines: [
        [scene.holder.userId, 'user_hold', -100_000],
        [paidFrom === 'provider_clearing' ? 'fake' : '', paidFrom, 97_400],
        ['', 'withdrawal_fee', 2_600],
      ],
    }),
  ];
}

export const payouts: Case[] = [
  ['a paid payout without a report', 'payout_reported', (scene) => paidByHand(scene, 'provider_clearing')],
  [
    'a paid payout with a report of another amount, which is unmatched',
    'payout_reported',
    (scene) => [paidReport('withdrawal', scene.held, 1, 'parked'), ...paidByHand(scene, 'provider_clearing')],
  ],
  [
    'a paid payout that another account pays',
    'journal_of_its_payout',
    (scene) => [paidReport('withdrawal', scene.held, 97_400), ...paidByHand(scene, 'operator_clearing')],
  ],
  ['a payout of an unconfirmed withdrawal', 'payout_agrees', (scene) => [payoutRow(scene.held)]],
  ['a second payout of a withdrawal', 'payout_once', (scene) => [payoutRow(scene.paidOut, { state: 'paid' })]],
  [
    'a payout that begins as returned',
    'payout_transition_allowed',
    (scene) => [payoutRow(scene.held, { state: 'returned' })],
  ],
  [
    'a payout that is declined after it was paid',
    'payout_transition_allowed',
    (scene) => [`update payout set state = 'declined' where withdrawal_id = '${scene.paidOut}'`],
  ],
  [
    'a returned payout of a withdrawal that is not returned',
    'payout_agrees',
    (scene) => [`update payout set state = 'returned' where withdrawal_id = '${scene.paidOut}'`],
  ],
  [
    'a changed amount of a payout',
    'payout_immutable',
    (scene) => [`update payout set amount = 1 where withdrawal_id = '${scene.paidOut}'`],
  ],
  [
    'a changed reference of a payout',
    'payout_immutable',
    (scene) => [`update payout set provider_ref = 'other' where withdrawal_id = '${scene.paidOut}'`],
  ],
  ['a deleted payout', 'ledger_immutable', (scene) => [`delete from payout where withdrawal_id = '${scene.paidOut}'`]],
  [
    'a return journal without a payout',
    'journal_of_its_payout',
    (scene) => [
      `update payout set state = 'returned' where withdrawal_id = '${scene.paidOut}'`,
      `update withdrawal set state = 'returned', cause = 'provider' where id = '${scene.paidOut}'`,
      ...journal({
        kind: 'withdrawal_return',
        withdrawal: scene.paidOut,
        lines: [
          ['fake', 'provider_clearing', -97_400],
          ['', 'withdrawal_fee', -2_600],
          [scene.receiver, 'user', 100_000],
        ],
      }),
    ],
  ],
];
