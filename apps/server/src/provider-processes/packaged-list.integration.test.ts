/** The list of a package: what a bad page, a hanging call or a process that ended says about payments, which is nothing (SRV-1, SRV-2). */
import { expect, test } from 'vitest';
import type { OpenedAccount } from '../providers/connection-kind.ts';
import { packageConnections } from './package-connections.ts';
import { installedCanary, startedCanary } from './testing/canary.fixture.ts';

/** A started canary with accounts. @param list its method; absent: it has none */
async function canary(list?: string) {
  const { from } = installedCanary('', {
    manifest: { accounts: {}, ...(list !== undefined && { does: ['list'] }) },
    ...(list !== undefined && { code: `async list({ from, to, cursor, signal }) { ${list} },` }),
  });
  const { clock, child } = await startedCanary(from);
  const kind = packageConnections(from, clock, child);
  const read = async (cursor?: string, operatorId = 'op') =>
    kind?.list?.(accountOf(operatorId), { from: '2026-01-01', to: '2026-01-31', cursor });
  return { child, clock, kind, read };
}

const accountOf = (operatorId: string): OpenedAccount => ({
  operatorId,
  connectionId: 'c',
  secrets: { key: 'account-secret' },
  options: {},
});
const row = `{ kind: 'payment', references: [secrets.key], ownId: [from, to, cursor].join(' '), currency: 'EUR', amount: '25.5', fee: '0.30',
  at: '2026-01-31T23:30:00-00:15' }`;

test('[SRV-1] a page arrives exactly, of the account, with a half-open period, and leads to the next one', async () => {
  const { read, kind } = await canary(
    `return { kind: 'page', transactions: [${row}], next: cursor === undefined ? 'two words' : undefined };`,
  );
  const period = '2026-01-01T00:00:00.000Z 2026-02-01T00:00:00.000Z';
  const movement = {
    kind: 'payment',
    references: ['account-secret'],
    currency: 'EUR',
    amountMinor: 2_550n,
    feeMinor: 30n,
    day: '2026-01-31',
  };
  const first = await read();
  expect(first).toEqual({
    kind: 'page',
    movements: [{ ...movement, ownId: `${period} ` }],
    next: expect.stringMatching(/^1 .* two words$/),
  });
  const next = first?.kind === 'page' ? first.next : undefined;
  expect(await read(next)).toEqual({ kind: 'page', movements: [{ ...movement, ownId: `${period} two words` }] });
  expect(kind?.list).toBeDefined();
});

test('[SRV-2] a package without a list has none', async () => {
  const { kind } = await canary();
  expect(kind).toBeDefined();
  expect(kind?.list).toBeUndefined();
});

test.each([
  ['1,001 rows', `return { kind: 'page', transactions: Array(1001).fill(${row}) };`, 'has 1001 rows'],
  [
    'too many characters',
    `return { kind: 'page', transactions: Array(900).fill({ ...${row}, references: ['r'.repeat(500), 'r'.repeat(500), 'r'.repeat(500)] }) };`,
    'more than 600000 characters',
  ],
  ['an unknown kind', `return { kind: 'page', transactions: [{ ...${row}, kind: 'gift' }] };`, 'transactions.0.kind'],
  ['no answer', 'return undefined;', 'the list is no object'],
  ['an error with a secret', `throw new Error('wrong key ' + secrets.key);`, 'canary: wrong key ***'],
])('[SRV-2] %s is a clear error, and the process goes on', async (_what, list, why) => {
  const { read, child } = await canary(list);
  const answer = await read();
  expect(answer).toEqual({ kind: 'unknown', why: expect.stringContaining(why) });
  expect(JSON.stringify(answer)).not.toContain('account-secret');
  expect([child.isUp(), child.starts()]).toEqual([true, 1]);
});

test('[SRV-2] a page that evades the check of the process is refused by the cashier', async () => {
  const { read } = await canary(`
    const { parse } = JSON;
    const { stringify } = JSON;
    JSON.stringify = (value, ...more) => stringify(value?.kind === 'result'
      ? { ...value, value: { kind: 'page', transactions: [{ ...${row}, amount: '1e9' }] } } : value, ...more);
    return { kind: 'page', transactions: [] };`);
  expect(await read()).toEqual({ kind: 'unknown', why: expect.stringContaining('transactions.0.amount') });
});

test('[SRV-2] a refused key is refused, and a cursor that repeats is an error', async () => {
  const refused = await canary(`return { kind: 'refused', code: 'http-403' };`);
  expect(await refused.read()).toEqual({ kind: 'refused', why: 'canary refuses: http-403' });
  const circle = await canary(`
    const next = { a: 'b', b: 'c', c: 'a' }[cursor ?? 'c'];
    return { kind: 'page', transactions: [], next };`);
  let pages = 0;
  let cursor: string | undefined;
  for (;;) {
    const answer = await circle.read(cursor);
    if (answer?.kind !== 'page') {
      expect(answer).toEqual({ kind: 'unknown', why: 'canary: its cursors repeat, so its pages do not end' });
      break;
    }
    cursor = answer.next;
    pages += 1;
    expect(pages).toBeLessThan(15);
  }
});

test('[SRV-2] [SRV-9] a list that hangs takes the share of its operator alone, and ends after 15 seconds', async () => {
  const { read, clock } = await canary(`if (cursor === 'quick') return { kind: 'page', transactions: [] };
    await new Promise((resolve) => signal.addEventListener('abort', resolve));`);
  const answers = Array.from({ length: 101 }, () => read(undefined, 'slow'));
  expect(await answers[100]).toEqual({ kind: 'unknown', why: 'the process of canary has too many calls in progress' });
  expect(await read('1 - quick', 'quick')).toEqual({ kind: 'page', movements: [] });
  clock.advance(15_000);
  expect(await answers[0]).toEqual({ kind: 'unknown', why: 'no answer of canary in 15 seconds' });
});

test('[SRV-2] a process that ends or is down makes the list unknown', async () => {
  const { read, child } = await canary('process.exit(7);');
  expect(await read()).toEqual({ kind: 'unknown', why: 'The process of canary ended' });
  expect(child.isUp()).toBe(false);
  expect(await read()).toEqual({ kind: 'unknown', why: 'the process of canary is down' });
});
