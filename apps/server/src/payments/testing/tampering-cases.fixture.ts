/** Statements that tamper with the ledger through a direct connection, and the rule that refuses each. */
import { randomUUID } from 'node:crypto';
import { guards } from '../../ledger/ledger-guards.ts';
import type { Caller } from '../../operators/caller.ts';
import { paidReport } from './paid-report.fixture.ts';

/** The rows that a test tampers with. Each has its own money. */
export interface Scene {
  /** An open deposit of 500.00 INR, and its user. */
  readonly open: string;
  readonly payer: string;
  /** A paid and credited deposit. */
  readonly credited: string;
  /** The user of the credited deposit. */
  readonly userId: string;
  readonly held: string;
  /** A paid withdrawal, and its user. */
  readonly paidOut: string;
  readonly receiver: string;
  /** The user of the held withdrawal, which holds the whole balance. */
  readonly holder: Caller;
  readonly frozen: Caller;
}

export type Line = readonly [owner: string, kind: string, amount: number];

interface ByHand {
  readonly kind: string;
  readonly lines: readonly Line[];
  readonly deposit?: string;
  readonly withdrawal?: string;
  readonly payment?: string;
  readonly dispute?: string;
  /** An SQL expression that returns the id. */
  readonly payout?: string;
  readonly source?: string;
  readonly ref?: string;
  readonly note?: string;
  readonly at?: string;
}

const literal = (value: string | undefined): string => (value === undefined ? 'null' : `'${value}'`);

/** A forged journal, balanced and in one statement. Missing accounts are created. */
export function journal({
  kind,
  lines,
  deposit,
  withdrawal,
  payment,
  dispute,
  payout = 'null',
  source = 'fake',
  ref = randomUUID(),
  note,
  at,
}: ByHand): string[] {
  const accounts = lines.map(
    ([owner, of]) => `insert into account (operator_id, owner, asset, kind, balance)
      values ('op', '${owner}', 'INR', '${of}', ${/^user|debt|bonus$/.test(of) ? '0' : 'null'}) on conflict do nothing`,
  );
  const values = lines.map(([owner, of, amount]) => `('${owner}', '${of}', ${amount})`).join(', ');
  const book = `with entry as (insert into journal (operator_id, kind, deposit_id, withdrawal_id, payment_id, dispute_id, payout_id, ext_source, ext_ref, note, at)
      values ('op', '${kind}', ${literal(deposit)}, ${literal(withdrawal)}, ${literal(payment)}, ${literal(dispute)}, ${payout}, '${source}',
        '${ref}', ${literal(note)}, coalesce(${literal(at)}::timestamptz, now())) returning id)
    insert into posting (operator_id, journal_id, account_id, asset, amount)
    select 'op', entry.id, account.id, 'INR', line.amount from entry, (values ${values}) as line(owner, kind, amount)
    join account on account.operator_id = 'op' and account.owner = line.owner and account.asset = 'INR'
      and account.kind = line.kind`;
  return [...accounts, book];
}

const credit = (userId: string, amount: number): Line[] => [
  ['fake', 'provider_clearing', -amount],
  [userId, 'user', amount],
];

const suspense = (amount: number): Line[] => [
  ['fake', 'provider_clearing', -amount],
  ['', 'suspense', amount],
];

/** A forged payment row, and the summary on its deposit. By default 1.00 INR in suspense. */
export function paymentRow(
  id: string,
  deposit: string,
  own?: { readonly ref: string; readonly amount: number },
): string[] {
  const { ref = id, amount = 100 } = own ?? {};
  const rest =
    own === undefined
      ? `'further', 'in_review', 'second-payment', 1, now(), null`
      : `'deposit', 'credited', null, null, null, now()`;
  return [
    `insert into payment (id, operator_id, deposit_id, provider, provider_ref, currency, amount, origin, state, reason, review, review_since,
      credited_at)
      values ('${id}', 'op', '${deposit}', 'fake', '${ref}', 'INR', ${amount}, ${rest})`,
    `update deposit set (paid, credited, paid_debt, charged_fee, review, reviews, review_since) = (select paid, credited, paid_debt,
      charged_fee, review, reviews, review_since from payment_summary where deposit_id = deposit.id) where id = '${deposit}'`,
  ];
}

function suspended(deposit: string, more: Partial<ByHand> = {}): string[] {
  const id = randomUUID();
  return [
    ...paymentRow(id, deposit),
    ...journal({ kind: 'suspense_in', deposit, payment: id, ref: id, lines: suspense(100), ...more }),
  ];
}

const transferOut = (userId: string): Line[] => [
  [userId, 'user', -100],
  ['', 'operator_clearing', 100],
];

const endOf = (scene: Scene, lines: readonly Line[], note: string): string[] =>
  journal({ kind: 'hold_end', withdrawal: scene.held, source: 'hold', ref: scene.held, note, lines });

/** The rule that refuses each journal kind that may credit users. */
const RULE_OF_SECOND: Readonly<Record<string, string>> = {
  suspense_out: 'suspense_agrees',
  withdrawal_return: 'withdrawal_return_agrees',
  hold_end: 'hold_ends_exactly',
  coin_grant: 'coin_grant_agrees',
  coin_play: 'coin_play_agrees',
  operator_transfer: 'operator_transfer_agrees',
};

export type Case = readonly [what: string, rule: string, statements: (scene: Scene) => readonly string[]];

export const balances: Case[] = [
  [
    'a balance set by hand',
    'account_balance_by_postings',
    (scene) => [`update account set balance = balance + 100 where owner = '${scene.userId}' and kind = 'user'`],
  ],
  [
    'an account that begins with a balance',
    'account_balance_by_postings',
    () => [`insert into account (operator_id, owner, asset, kind, balance) values ('op', 'eve', 'INR', 'user', 100)`],
  ],
];

export const credits: Case[] = [
  [
    'a credit without a payment',
    'deposit_credit_agrees',
    (scene) => journal({ kind: 'deposit_credit', deposit: scene.open, lines: credit(scene.payer, 50_000) }),
  ],
  [
    'a credit without a payment, with the deposit moved to credited',
    'deposit_credit_agrees',
    (scene) => [
      ...journal({ kind: 'deposit_credit', deposit: scene.open, lines: credit(scene.payer, 50_000) }),
      `update deposit set state = 'credited', paid = 50000, credited = 50000 where id = '${scene.open}'`,
    ],
  ],
  [
    'a credit without a report, with a forged payment and the deposit moved to credited',
    'deposit_credit_agrees',
    (scene) => {
      const payment = randomUUID();
      const ref = `ref-${scene.open}`;
      return [
        ...paymentRow(payment, scene.open, { ref, amount: 50_000 }),
        ...journal({ kind: 'deposit_credit', deposit: scene.open, payment, ref, lines: credit(scene.payer, 50_000) }),
        `update deposit set state = 'credited' where id = '${scene.open}'`,
      ];
    },
  ],
  [
    'a credited deposit without a journal',
    'deposit_credit_agrees',
    (scene) => [`update deposit set state = 'credited', paid = 50000, credited = 50000 where id = '${scene.open}'`],
  ],
  [
    'a credit of another amount than was paid',
    'deposit_credit_agrees',
    (scene) => [
      paidReport('deposit', scene.open, 50_000),
      ...journal({ kind: 'deposit_credit', deposit: scene.open, lines: credit(scene.payer, 500_000) }),
      `update deposit set state = 'credited', paid = 50000, credited = 50000 where id = '${scene.open}'`,
    ],
  ],
  [
    'a credit to another user',
    'journal_of_its_user',
    (scene) => journal({ kind: 'deposit_credit', deposit: scene.open, lines: credit('eve', 50_000) }),
  ],
  ...['suspense_out', 'withdrawal_return', 'hold_end', 'coin_grant', 'coin_play', 'operator_transfer'].map(
    (kind): Case => [
      `a second credit as ${kind}`,
      RULE_OF_SECOND[kind] ?? 'never',
      (scene) => journal({ kind, deposit: scene.credited, lines: credit(scene.userId, 50_000) }),
    ],
  ),
  ...['suspense_in', 'deposit_reversal', 'debt_payment', 'withdrawal_late_paid', 'hold'].map(
    (kind): Case => [
      `a second credit as ${kind}`,
      'journal_kind_credits',
      (scene) => journal({ kind, deposit: scene.credited, lines: credit(scene.userId, 50_000) }),
    ],
  ),
  [
    'a credit of an unknown kind',
    'journal_kind_known',
    (scene) => journal({ kind: 'correction', lines: credit(scene.userId, 50_000) }),
  ],
  [
    'a new journal kind',
    'ledger_immutable',
    () => [`insert into journal_kind (kind, credits_user) values ('correction', true)`],
  ],
  [
    'a changed amount on a credited deposit',
    'ledger_immutable',
    (scene) => [`update deposit set paid = 90000, credited = 90000 where id = '${scene.credited}'`],
  ],
];

export const journals: Case[] = [
  [
    'postings added to an old journal',
    'journal_balanced',
    (scene) => [
      `insert into posting (operator_id, journal_id, account_id, asset, amount)
        select 'op', journal.id, account.id, 'INR', case account.kind when 'user' then 100 else -100 end from journal, account
        where journal.deposit_id = '${scene.credited}' and account.asset = 'INR' and account.operator_id = 'op'
          and (account.owner, account.kind) in (('${scene.holder.userId}', 'user'), ('', 'suspense'))`,
    ],
  ],
  [
    'postings of accounts that do not exist',
    'posting_account_id_asset_fkey',
    (scene) => [
      `insert into posting (operator_id, journal_id, account_id, asset, amount)
        select 'op', journal.id, line.account, 'INR', line.amount from journal, (values (-1, 5), (-2, -5)) as line(account, amount)
        where journal.deposit_id = '${scene.credited}'`,
    ],
  ],
  [
    'postings added after an early run of the commit checks',
    'journal_balanced',
    (scene) => [
      ...suspended(scene.credited, { ref: 'early' }),
      'set constraints all immediate',
      `insert into posting (operator_id, journal_id, account_id, asset, amount) select 'op', journal.id, account.id, 'INR', 1 from journal, account
        where journal.ext_ref = 'early' and account.owner = '${scene.userId}' and account.kind = 'user'`,
    ],
  ],
  [
    'a key that names the journal of another fact',
    'ledger_immutable',
    (scene) => [
      `insert into journal_key (operator_id, ref, source, kind, journal_id)
        select operator_id, '${scene.open}', 'deposit', 'one_credit', id from journal where deposit_id = '${scene.credited}'`,
    ],
  ],
  ['a backdated journal', 'journal_of_now', (scene) => suspended(scene.credited, { at: '2020-01-01T00:00:00Z' })],
  ['money in suspense without a report', 'suspense_agrees', (scene) => suspended(scene.open)],
  [
    'money in suspense without a payment',
    'suspense_agrees',
    (scene) => journal({ kind: 'suspense_in', deposit: scene.credited, lines: suspense(100) }),
  ],
];

export const holds: Case[] = [
  [
    'a hold ended with a wrong amount',
    'hold_ends_exactly',
    (scene) =>
      endOf(
        scene,
        [
          [scene.holder.userId, 'user_hold', -1],
          [scene.holder.userId, 'user', 1],
        ],
        'void',
      ),
  ],
  [
    'a hold ended for more than was held',
    'account_not_overdrawn',
    (scene) =>
      endOf(
        scene,
        [
          [scene.holder.userId, 'user_hold', -100_001],
          [scene.holder.userId, 'user', 100_001],
        ],
        'void',
      ),
  ],
  [
    'a hold paid out while its withdrawal is held',
    'hold_ends_exactly',
    (scene) =>
      endOf(
        scene,
        [
          [scene.holder.userId, 'user_hold', -100_000],
          ['fake', 'provider_clearing', 100_000],
        ],
        'post',
      ),
  ],
  [
    'a hold released to another user',
    'journal_of_its_user',
    (scene) =>
      endOf(
        scene,
        [
          [scene.holder.userId, 'user_hold', -100_000],
          ['eve', 'user', 100_000],
        ],
        'void',
      ),
  ],
  [
    'held money moved by another journal kind',
    'hold_ends_exactly',
    (scene) =>
      journal({
        kind: 'operator_transfer',
        lines: [
          [scene.holder.userId, 'user_hold', -100_000],
          [scene.holder.userId, 'user', 100_000],
        ],
      }),
  ],
  [
    'a changed destination of a held withdrawal',
    'ledger_immutable',
    (scene) => [
      `update withdrawal set request = jsonb_set(request, '{fields,cardNumber}', '"5555555555554444"')
        where id = '${scene.held}'`,
    ],
  ],
];

export const frozen: Case[] = [
  [
    'money out of a frozen account into a hold',
    'account_frozen',
    (scene) =>
      journal({
        kind: 'hold',
        source: 'hold',
        lines: [
          [scene.frozen.userId, 'user', -100],
          [scene.frozen.userId, 'user_hold', 100],
        ],
      }),
  ],
  [
    'money out of a frozen account to the operator',
    'account_frozen',
    (scene) => journal({ kind: 'operator_transfer', source: 'operator:op', lines: transferOut(scene.frozen.userId) }),
  ],
];

export const histories: Case[] = [
  ...guards
    .filter(({ name }) => name.endsWith('_not_truncated'))
    .map(({ table }): Case => [`all of ${table} gone`, 'ledger_immutable', () => [`truncate ${table} cascade`]]),
  [
    'a forged history',
    'ledger_immutable',
    (scene) => [
      `insert into deposit_history (operator_id, deposit_id, n, from_state, to_state, cause)
        values ('op', '${scene.credited}', 9, 'credited', 'refunded', 'eve')`,
    ],
  ],
  [
    'a key that names another deposit',
    'ledger_immutable',
    (scene) => [`update deposit_key set deposit_id = gen_random_uuid() where deposit_id = '${scene.credited}'`],
  ],
  [
    'a changed report',
    'ledger_immutable',
    (scene) => [`update deposit_event set paid = 1 where deposit_id = '${scene.credited}'`],
  ],
  [
    'a changed body of a report',
    'ledger_immutable',
    (scene) => [
      `update event_body set body = body || '{"paidMinor": "1"}' where id in (
        select body_id from deposit_event where deposit_id = '${scene.credited}')`,
    ],
  ],
  [
    'a deleted report',
    'ledger_immutable',
    (scene) => [`delete from deposit_event where deposit_id = '${scene.credited}'`],
  ],
];
