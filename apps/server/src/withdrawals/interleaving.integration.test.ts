/** Withdrawals under any interleaving of events: money is neither created nor lost (WD-2, WD-3). */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { createBench, refOf } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { ProviderWithdrawResult, WithdrawalReport } from '../providers/withdrawal-provider.ts';
import { books, intent, reportOn, richUser } from './withdrawals.fixture.ts';

let database: Database;
withPayments(
  (made) => {
    ({ database } = made);
  },
  { hasWebhook: true },
);

const BALANCE = 250_000n;
/** The balance covers two of the three withdrawals. */
const WITHDRAWALS = 3;
const RECEIVES = 97_400n;

const outcomes = ['pending', 'paid', 'declined', 'returned'] as const;
const step = fc.record({
  subject: fc.nat(WITHDRAWALS - 1),
  what: fc.constantFrom('create', 'confirm', 'confirm', 'cancel', 'expire', 'work', 'report', 'report', 'report'),
  outcome: fc.constantFrom(...outcomes),
  /** True: the event is sent again, and a second event reports the same. */
  event: fc.constantFrom('a', 'b'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const answer = fc.constantFrom<ProviderWithdrawResult['kind']>('accepted', 'declined', 'failed', 'unknown');
/** Steps of one batch happen at once. */
const story = fc.record({
  batches: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 8 }),
  answers: fc.array(answer, { minLength: WITHDRAWALS, maxLength: WITHDRAWALS }),
});

type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

const at = (subject: number, what: Step['what'], outcome: Step['outcome'] = 'paid'): Step => ({
  subject,
  what,
  outcome,
  event: 'a',
});

/** Sequences that always run besides the random ones: those that lead furthest. */
const ways: Story[] = [
  {
    answers: ['accepted', 'declined', 'unknown'],
    batches: [
      [at(0, 'create'), at(1, 'create')],
      [at(0, 'confirm'), at(1, 'confirm'), at(0, 'report'), at(0, 'report')],
      [at(1, 'report'), at(2, 'create'), at(0, 'cancel')],
    ],
  },
  {
    answers: ['accepted', 'accepted', 'unknown'],
    batches: [
      [at(0, 'create'), at(1, 'create')],
      [at(0, 'report', 'returned'), at(1, 'cancel')],
      [at(0, 'report'), at(0, 'confirm'), at(2, 'create')],
      [at(2, 'confirm'), at(0, 'work')],
    ],
  },
];

interface Ending {
  readonly state: string;
  readonly posted: number;
  readonly clearing: bigint;
  readonly sum: bigint;
}

async function endingOf(id: string): Promise<Ending | undefined> {
  const [row] = await database.query<Ending>({
    text: `select state,
        (select count(*)::int from journal where withdrawal_id = withdrawal.id and kind = 'hold_end' and note = 'post') as posted,
        (select coalesce(sum(amount), 0)::bigint from posting join journal on journal.id = journal_id
          join account on account.id = account_id
          where withdrawal_id = withdrawal.id and account.kind = 'provider_clearing') as clearing,
        (select coalesce(sum(amount), 0)::bigint from posting join journal on journal.id = journal_id
          where withdrawal_id = withdrawal.id) as sum
      from withdrawal where id = $1`,
    values: [id],
  });
  return row;
}

const STILL_HELD = ['held', 'submitted', 'submitted_unknown'];

test('[SRV-2] [WD-3] any interleaving of create, confirm, cancel, expiry and reports keeps every unit in its place', async () => {
  const seen = new Set<string>();
  // As many runs as fit into this time. An interruption by fast-check would leave a story running beside the audit.
  const end = performance.now() + 12_000;
  await fc.assert(
    fc.asyncProperty(story, async ({ batches, answers }) => {
      if (performance.now() > end) return;
      const ann = await richUser(database, BALANCE);
      const { payments, provider } = createBench(database);
      const { withdrawals } = payments;
      const commands = Array.from({ length: WITHDRAWALS }, () => intent(ann, { withdrawalId: randomUUID() }));
      const idOf = (subject: number): string => commands[subject]?.request.withdrawalId ?? '';
      provider.onWithdraw = async ({ withdrawalId }) => {
        const kind = answers[commands.findIndex(({ request }) => request.withdrawalId === withdrawalId)] ?? 'accepted';
        return kind === 'accepted' ? { kind, providerRef: refOf(withdrawalId) } : { kind, code: 'no' };
      };
      const reported = new Map<string, Set<WithdrawalReport['outcome']>>();
      const carryOut = async ({ subject, what, outcome, event }: Step): Promise<unknown> => {
        const id = idOf(subject);
        switch (what) {
          case 'create':
            return withdrawals.create(commands[subject] ?? intent(ann));
          case 'confirm':
            return withdrawals.confirm(ann, id);
          case 'cancel':
            return withdrawals.cancel(ann, id);
          case 'expire':
            return database.query({ text: 'update withdrawal set expires_at = now() where id = $1', values: [id] });
          case 'work':
            return payments.runDueWork();
          case 'report': {
            reported.set(id, (reported.get(id) ?? new Set()).add(outcome));
            return withdrawals.apply(reportOn(id, { outcome, eventId: `${id} ${outcome} ${event}` }));
          }
        }
      };
      for (const batch of batches) {
        const results = await Promise.allSettled(batch.map(carryOut));
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DomainError);
        }
      }
      // Retries the reports that came too early. Nothing else happens any more.
      for (let round = 0; round < 2; round += 1) {
        await database.query({ text: `update withdrawal_event set next_at = now() where status = 'parked'` });
        await payments.runDueWork();
      }

      let [gone, kept] = [0n, 0n];
      for (let subject = 0; subject < WITHDRAWALS; subject += 1) {
        const id = idOf(subject);
        const ending = await endingOf(id);
        if (ending === undefined) continue;
        seen.add(ending.state);
        const outcomes = reported.get(id) ?? new Set();
        expect(ending.posted).toBe(ending.state === 'paid' || ending.state === 'returned' ? 1 : 0);
        expect(ending.sum).toBe(0n);
        // Every payout that the provider reported is booked once, and no other.
        const isOut = outcomes.has('paid') && ending.state !== 'returned' && ending.state !== 'late_returned';
        expect(ending.clearing).toBe(isOut ? RECEIVES : 0n);
        if (ending.state === 'returned' || ending.state === 'late_returned')
          expect(outcomes.has('returned')).toBe(true);
        if (ending.state === 'paid') gone += 100_000n;
        if (STILL_HELD.includes(ending.state)) kept += 100_000n;
        expect(provider.withdraws.filter(({ withdrawalId }) => withdrawalId === id).length).toBeLessThanOrEqual(
          ending.state === 'submitted_unknown' || answers[subject] === 'unknown' ? 20 : 1,
        );
      }
      expect(await books(database, ann)).toEqual({ free: BALANCE - gone - kept, additional: 0n, held: kept });
    }),
    { examples: ways.map((way) => [way]), numRuns: 60 },
  );
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
  // The runs must really reach these states.
  for (const state of ['cancelled', 'paid', 'late_paid', 'returned', 'submitted_unknown'])
    expect([...seen]).toContain(state);
});
