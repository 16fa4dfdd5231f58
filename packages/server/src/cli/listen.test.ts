import { expect, test, vi } from 'vitest';
import { listenSecretOf } from './forward-webhook.ts';
import { type ListenSurroundings, runListen } from './listen.ts';

const key = `sk_test_${'k'.repeat(40)}`;

function surroundings(change: Partial<ListenSurroundings> = {}) {
  const printed: string[] = [];
  const errors: string[] = [];
  const stopping = new AbortController();
  const pauses: number[] = [];
  const parts: ListenSurroundings = {
    fetch: vi.fn(() => Promise.reject(new TypeError('down'))),
    now: () => 0,
    print: (line) => void printed.push(line),
    printError: (line) => void errors.push(line),
    async pause(milliseconds) {
      pauses.push(milliseconds);
      if (pauses.length === 7) stopping.abort();
    },
    environment: { CASHIER_URL: 'https://sandbox.example.com/', OPERATOR_KEY: key },
    stop: stopping.signal,
    ...change,
  };
  return { parts, printed, errors, pauses };
}

test.each([
  [['--forward-to', 'localhost:3000'], 'is no address'],
  [['--forward-to', 'ftp://localhost'], 'is no address'],
  [['--events', 'deposit'], 'is no type'],
  [['--events', 'deposit.*,'], 'is no type'],
  [['--since', '10'], 'is no time'],
  [['--since', '25h'], 'is no time'],
  [['--resume-file', import.meta.dirname], 'cannot be read: EISDIR'],
  [['--nothing'], 'nothing'],
])('a wrong argument is refused before anything is asked: %j', async (args, words) => {
  const { parts, errors } = surroundings();
  expect(await runListen(args, parts)).toBe(2);
  expect(errors.join()).toContain(words);
  expect(parts.fetch).not.toHaveBeenCalled();
});

test('without an address or a key it says which variables to set', async () => {
  const { parts, errors } = surroundings({ environment: { CASHIER_URL: 'https://sandbox.example.com' } });
  expect(await runListen([], parts)).toBe(2);
  expect(errors).toEqual(['Set CASHIER_URL (such as http://localhost:3000) and OPERATOR_KEY (sk_…).']);
});

test('the signing secret is the same at every start, and another for another key', async () => {
  const { parts, printed } = surroundings();
  expect(await runListen(['--print-secret'], parts)).toBe(0);
  expect(printed).toEqual([listenSecretOf(key)]);
  expect(listenSecretOf(key)).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(listenSecretOf(`${key}x`)).not.toBe(listenSecretOf(key));
});

test('while the cashier does not answer, the pauses grow to half a minute', async () => {
  const { parts, pauses, errors } = surroundings();
  expect(await runListen([], parts)).toBe(0);
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(errors[0]).toBe('The cashier could not be reached. Trying again in 1 s.');
});

test.each([
  [401, 'unauthorized', 'does not know this OPERATOR_KEY'],
  [404, 'not-found', 'is no sandbox of this version'],
])('an answer %i ends the command with what to do', async (status, code, words) => {
  const refuse = vi.fn(async () => new Response(JSON.stringify({ error: { code, message: 'No.' } }), { status }));
  const { parts, errors } = surroundings({ fetch: refuse });
  expect(await runListen([], parts)).toBe(1);
  expect(errors.join()).toContain(words);
  expect(refuse).toHaveBeenCalledTimes(1);
});
