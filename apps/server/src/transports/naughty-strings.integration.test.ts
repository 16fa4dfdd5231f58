/** Bad input through every place of every call, on both transports, over a real database. */
import { randomUUID } from 'node:crypto';
import { type CallName, calls, errorCodes } from '@opencashier/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodRequests } from './testing/good-requests.ts';
import { naughtyStrings, unstorableStrings } from './testing/naughty-strings.ts';
import { type Place, placesOf, withValue } from './testing/request-places.ts';
import { type RunningApp, startApp } from './testing/running-app.ts';
import type { Answer } from './testing/running-server.ts';

const names = Object.keys(calls) as CallName[];

let running: RunningApp;
let token: string;
beforeAll(async () => {
  running = await startApp();
  token = await running.tokenOf('naughty');
});
afterAll(() => running?.stop());

const transports = ['http', 'socket'] as const;
const isPostgres = process.env['TEST_DATABASE'] === 'postgres';
/** Only HTTP has queries. */
const isQuery = (name: CallName): boolean => calls[name].method === 'GET';
/**
 * What reads a body is the same behind both transports. So on PostgreSQL each place of a body gets half of the strings by each, and each
 * place of a query all. The embedded database is slow, so each place gets a quarter there.
 */
const shareOf = (values: readonly string[], turn: number, share: number): readonly string[] =>
  values.filter((_, index) => (index + turn) % (isPostgres ? share : 4) === 0);

/** Each value at each place of a call's valid request. Keys are new, so that no answer is a stored one. */
function* attempts(
  name: CallName,
  values: readonly string[],
  transport: (typeof transports)[number],
): Generator<{ place: Place; value: string; request: unknown }> {
  for (const [turn, place] of placesOf(calls[name].request).entries()) {
    const share = isQuery(name) && transport === 'http' ? 1 : transports.length;
    for (const value of shareOf(values, turn + transports.indexOf(transport), share)) {
      let request = structuredClone(goodRequests[name]);
      for (const key of ['depositId', 'withdrawalId']) {
        if (Object.hasOwn(request as object, key)) request = withValue(request, [key], randomUUID());
      }
      yield { place, value, request: withValue(request, place, value) };
    }
  }
}

/** Sixteen at a time, since the database can serve no more. */
async function inParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

function expectSane(found: Answer, what: object): void {
  const isBuilt = found.error?.code !== 'not-implemented';
  if (isBuilt && found.status >= 500) {
    // The sandbox provider may decline an amount, which is no fault.
    expect(found.error?.code, JSON.stringify([what, found])).toMatch(/^(?:provider-error|unknown-outcome)$/);
  }
  if (found.error) expect(Object.keys(errorCodes)).toContain(found.error.code);
}

describe.each(transports)('over %s', (transport) => {
  test('no naughty string in any field of any call causes an internal error', async () => {
    const before = running.log.length;
    for (const name of names) {
      await inParallel(attempts(name, naughtyStrings, transport), async ({ place, value, request }) => {
        const found = await running.clients[transport].call(calls[name], request, { token });
        expectSane(found, { name, place, value });
      });
    }
    const faults = running.log.slice(before).filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
    expect(faults).toEqual([]);
    expect((await fetch(`${running.url}/ready`)).status).toBe(200);
  }, 240_000);

  test('text that no database can keep is refused, and its place is named', async () => {
    for (const name of names) {
      // A query string has no half characters: a browser and Node write U+FFFD instead.
      const values = isQuery(name) ? unstorableStrings.slice(0, 3) : unstorableStrings;
      await inParallel(attempts(name, values, transport), async ({ place, value, request }) => {
        const found = await running.clients[transport].call(calls[name], request, { token });
        if (found.error?.code === 'not-implemented') return;
        expect(found, JSON.stringify([name, place, value])).toMatchObject({
          status: 400,
          error: { code: 'invalid-request' },
        });
        const paths = found.error?.fields?.map(({ path }) => path) ?? [];
        expect(paths, JSON.stringify([name, place, value])).toContain(place.join('.'));
      });
    }
  }, 120_000);

  test('what a person typed is stored byte for byte', async () => {
    const userId = `typist-${transport}`;
    const own = await running.tokenOf(userId, { currency: 'USDT', country: 'DE' });
    const sent = new Map<string, { note: string; wallet: string }>();
    await inParallel(naughtyStrings, async (text) => {
      const depositId = randomUUID();
      const found = await running.clients[transport].call(
        calls['deposit-create'],
        {
          amount: '25',
          currency: 'USDT',
          depositId,
          paymentType: 'usdt_any_network',
          selectedCountry: 'DE',
          fields: { network: 'trc20', note: text },
          wallet: text,
        },
        { token: own },
      );
      // A text that is too long for the contract or the field is refused, with the name of the field.
      if (found.status === 200) sent.set(depositId, { note: text, wallet: text });
      else expect(found.error?.fields?.map(({ path }) => path)[0], text).toMatch(/^(?:fields\.note|wallet)$/);
    });
    const rows = await running.database.query<{ id: string; note: string | null; wallet: string; bytes: Buffer }>({
      text: `select client_key as id, request #>> '{fields,note}' as note, request #>> '{fields,wallet}' as wallet,
          convert_to(request #>> '{fields,wallet}', 'UTF8') as bytes
        from deposit where user_id = $1`,
      values: [userId],
    });
    expect(rows).toHaveLength(sent.size);
    expect(sent.size).toBeGreaterThan(100);
    for (const { id, note, wallet, bytes } of rows) {
      const typed = sent.get(id);
      expect(wallet).toBe(typed?.wallet);
      expect(Buffer.from(bytes).equals(Buffer.from(typed?.wallet ?? '', 'utf8'))).toBe(true);
      // Fields are trimmed before they are tested and sent (FORM-2); nothing else is done to them.
      expect(note ?? '').toBe(typed?.note.trim());
    }
  });
});

test('a language, an origin or a platform that is none stops no call', async () => {
  const clients = Object.values(running.clients);
  const texts = naughtyStrings.filter((value) => value.length <= 256);
  for (const text of shareOf(texts, 0, 1)) {
    const context = { language: text, xOrigin: text, platform: text };
    const request = { amount: '25.00', currency: 'USD', depositId: randomUUID(), paymentType: 'card' };
    const [http] = clients;
    const found = await http?.call(calls['deposit-create'], request, { token, context });
    expect(found?.status, JSON.stringify([text, found])).toBe(200);
  }
});
