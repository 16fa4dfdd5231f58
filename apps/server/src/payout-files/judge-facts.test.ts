import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TransferState } from '../providers/filed-transfer.ts';
import type { BankFact } from './bank-facts.ts';
import { judgeFacts, type KnownTransfer } from './judge-facts.ts';

const file = { fileId: 'file-1', total: 3000n, currency: 'EUR' };
const known = (withdrawalId: string, amount: bigint, state: TransferState = 'filed'): KnownTransfer => ({
  withdrawalId,
  amount,
  currency: 'EUR',
  state,
  reason: null,
  fileId: 'file-1',
});
const books = (...transfers: readonly KnownTransfer[]) => ({
  transfers: new Map(transfers.map((one) => [one.withdrawalId, one])),
  files: new Map([[file.fileId, file]]),
});
const status = (more: Partial<BankFact>): BankFact => ({ kind: 'status', line: 1, fileId: 'file-1', ...more });
const booked = (more: Partial<BankFact>): BankFact => ({ kind: 'booked', line: 1, currency: 'EUR', ...more });
const stepsOf = (facts: readonly BankFact[], ...transfers: readonly KnownTransfer[]) =>
  judgeFacts(facts, books(...transfers)).steps.map(({ withdrawalId, to }) => [withdrawalId, to]);

const [a, b] = [known('a', 1000n), known('b', 2000n)];

test('[WD-2] the status of a file says nothing about a transfer that has a status of its own', () => {
  const facts = [
    status({ withdrawalId: 'a', status: 'RJCT', reason: 'AC04', ofAll: 'ACSC' }),
    status({ withdrawalId: 'b', status: 'PDNG', ofAll: 'ACSC' }),
    status({ ofAll: 'ACSC' }),
  ];
  expect(stepsOf(facts, a, b)).toEqual([['a', 'declined']]);
  expect(stepsOf([status({ ofAll: 'ACSC' })], a, b)).toEqual([
    ['a', 'paid'],
    ['b', 'paid'],
  ]);
});

test('[WD-2] an entry without single amounts pays its transfers only when their sum is its own', () => {
  const of = (amount: bigint) => {
    const entry = { amount };
    return ['a', 'b'].map((withdrawalId) => booked({ withdrawalId, entry }));
  };
  expect(stepsOf(of(3000n), a, b)).toEqual([
    ['a', 'paid'],
    ['b', 'paid'],
  ]);
  expect(stepsOf(of(2999n), a, b)).toEqual([]);
});

test('[WD-2] a debit for the rest of a file, after some of it was rejected, pays the rest', () => {
  expect(stepsOf([booked({ fileId: 'file-1', amount: 2000n })], known('a', 1000n, 'declined'), b)).toEqual([
    ['b', 'paid'],
  ]);
  expect(stepsOf([booked({ fileId: 'file-1', amount: 3000n })], known('a', 1000n, 'declined'), b)).toEqual([]);
});

test('[WD-2] two such entries on one line of the file are two sums', () => {
  const of = (withdrawalId: string, amount: bigint) => booked({ withdrawalId, entry: { amount } });
  expect(stepsOf([of('a', 1000n), of('b', 2000n)], a, b)).toEqual([
    ['a', 'paid'],
    ['b', 'paid'],
  ]);
  expect(stepsOf([of('a', 3000n), of('b', 3000n)], a, b)).toEqual([]);
});

test('[WD-2] a debit for a whole file counts what came back before, and what was rejected only where the sum needs it', () => {
  const whole = (amount: bigint) => [booked({ fileId: 'file-1', amount })];
  expect(stepsOf(whole(3000n), known('a', 1000n, 'returned'), b)).toEqual([['b', 'paid']]);
  expect(stepsOf(whole(2000n), known('a', 1000n, 'stopped'), b)).toEqual([['b', 'paid']]);
  expect(stepsOf(whole(3000n), known('a', 1000n, 'stopped'), known('b', 2000n, 'stopped'))).toEqual([
    ['a', 'paid'],
    ['b', 'paid'],
  ]);
});

test('[WD-2] a file that is rejected as a duplicate may be paid already: nothing is declined, and the file stays', () => {
  const { steps, rejectedFiles } = judgeFacts(
    [
      status({ withdrawalId: 'a', status: 'RJCT', ofAll: 'RJCT', reasonOfAll: 'AM05' }),
      status({ withdrawalId: 'b', status: 'RJCT', reason: 'AC04', ofAll: 'RJCT', reasonOfAll: 'AM05' }),
      status({ ofAll: 'RJCT', reason: 'AM05' }),
    ],
    books(a, b),
  );
  expect(steps).toEqual([
    { withdrawalId: 'a', to: 'stopped', reason: 'AM05' },
    { withdrawalId: 'b', to: 'stopped', reason: 'AM05' },
  ]);
  expect(rejectedFiles).toEqual([]);
});

test('[WD-2] a stopped transfer learns that it is a duplicate, once', () => {
  const facts = [status({ ofAll: 'RJCT', reason: 'DU01' })];
  const stopped = { ...known('a', 1000n, 'stopped'), reason: 'AM04' };
  expect(judgeFacts(facts, books(stopped)).steps).toEqual([{ withdrawalId: 'a', to: 'stopped', reason: 'DU01' }]);
  expect(stepsOf(facts, { ...stopped, reason: 'DU01' })).toEqual([]);
  expect(stepsOf([status({ ofAll: 'RJCT', reason: 'FF01' })], stopped)).toEqual([]);
});

test('[WD-2] money of a whole file that comes back without its transfers is shown to staff, and pays nobody', () => {
  const { steps, problems } = judgeFacts(
    [{ ...booked({ fileId: 'file-1', amount: 3000n }), kind: 'returned' }],
    books(a, b),
  );
  expect(steps).toEqual([]);
  expect(problems).toEqual([{ line: 1, problem: 'contradiction' }]);
});

test('[WD-2] a message about another file, another amount or nobody changes nothing', () => {
  const { steps, problems } = judgeFacts(
    [
      status({ withdrawalId: 'a', status: 'RJCT', reason: 'AC04', fileId: 'file-0' }),
      booked({ withdrawalId: 'a', amount: 999n }),
      booked({ withdrawalId: 'a', amount: 1000n, currency: 'USD' }),
      booked({ withdrawalId: 'nobody', amount: 1n }),
      status({ withdrawalId: 'b', status: 'RJCT', reason: 'AC04' }),
    ],
    books(a, known('b', 2000n, 'paid')),
  );
  expect(steps).toEqual([]);
  expect(problems.map(({ problem }) => problem)).toEqual([
    'other-file',
    'amount',
    'amount',
    'unknown',
    'contradiction',
  ]);
});

const anyFact: fc.Arbitrary<BankFact> = fc.record({
  kind: fc.constantFrom('status', 'booked', 'returned'),
  line: fc.nat(9),
  withdrawalId: fc.constantFrom('a', 'b', undefined),
  fileId: fc.constantFrom('file-1', 'file-0', undefined),
  status: fc.constantFrom('RJCT', 'ACSC', 'PDNG', undefined),
  ofAll: fc.constantFrom('RJCT', 'ACSC', 'PART', undefined),
  reason: fc.constantFrom('AC04', 'AM04', undefined),
  amount: fc.constantFrom(1000n, 2000n, 3000n),
  currency: fc.constant('EUR'),
});

test('[WD-2] whatever a bank says, in any order: a second look changes nothing, and nobody is paid and given back', () => {
  fc.assert(
    fc.property(fc.array(anyFact, { maxLength: 12 }), (facts) => {
      const { steps } = judgeFacts(facts, books(a, b));
      const last = new Map<string, TransferState>();
      for (const { withdrawalId, to } of steps) {
        const before = last.get(withdrawalId);
        // Money that was paid is only ever returned. A decline may turn out to be paid, which goes to staff.
        if (before === 'paid') expect(to).toBe('returned');
        if (before === 'returned') expect.unreachable();
        last.set(withdrawalId, to);
      }
      const after = [a, b].map((one) => ({ ...one, state: last.get(one.withdrawalId) ?? one.state }));
      const again = judgeFacts(facts, books(...after)).steps;
      const isPaidNow = again.filter(({ to }) => to !== 'paid' && to !== 'returned');
      expect(isPaidNow.filter(({ withdrawalId }) => last.get(withdrawalId) === 'paid')).toEqual([]);
    }),
  );
});
