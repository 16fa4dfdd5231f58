/** The small books of the examples that receive webhooks themselves. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerifiedWebhook } from '@opencashier/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const root = join(import.meta.dirname, '../../examples');
const user = { id: 'u-1', currency: 'EUR' };
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opencashier-book-'));
  vi.stubEnv('BOOK_FILE', join(folder, 'book.jsonl'));
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const webhook = (id: string, type: string, depositId: string, amount: string, more = {}): VerifiedWebhook =>
  ({ id, type, data: { depositId, userId: user.id, currency: user.currency, amount, ...more } }) as VerifiedWebhook;

test('a movement counts once, in any order, less its fee', async () => {
  const { balanceOf, record } = await import('../../examples/remix/app/book.server.ts');
  expect(balanceOf(user)).toBe('0.00');
  record(webhook('w1', 'deposit.processed', 'a', '25.00', { fee: '0.50' }));
  record(webhook('w1', 'deposit.processed', 'a', '25.00', { fee: '0.50' }));
  record(webhook('w2', 'deposit.declined', 'b', '7.00'));
  expect(balanceOf(user)).toBe('24.50');
  // A provider takes back two parts of a deposit whose credit arrives later.
  record(webhook('w3', 'deposit.reversed', 'c', '1.00'));
  record(webhook('w4', 'deposit.reversed', 'c', '2.00'));
  expect(balanceOf(user)).toBe('24.50');
  record(webhook('w5', 'deposit.processed', 'c', '10.00'));
  expect(balanceOf(user)).toBe('31.50');
  // One part comes back, and is told before the credit of another deposit.
  record(webhook('w8', 'deposit.reinstated', 'c', '2.00'));
  record(webhook('w8', 'deposit.reinstated', 'c', '2.00'));
  expect(balanceOf(user)).toBe('33.50');
  record(webhook('w9', 'deposit.reinstated', 'e', '1.00'));
  expect(balanceOf(user)).toBe('33.50');
  record(webhook('w6', 'deposit.refunded', 'a', '25.00', { fee: '0.50' }));
  expect(balanceOf(user)).toBe('9.00');
  expect(balanceOf({ ...user, currency: 'USD' })).toBe('0.00');
  expect(() => record(webhook('w7', 'deposit.processed', 'd', '0.00000001'))).toThrow('0.00000001');
});

test('both examples have the same book', () => {
  const [remix, astro] = ['remix/app/book.server.ts', 'astro/src/book.ts'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  expect(astro).toBe(remix);
});
