/** An operator changes its bonuses on one node. Users call another node with the same database. */
import { randomUUID } from 'node:crypto';
import { calls } from '@opencashier/contract/api';
import { type BonusSettingsResponse, bonusSettingsResponseSchema, type OwnBonus } from '@opencashier/contract/operator';
import { systemClock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { App } from '../../app.ts';
import { saveBonuses } from '../../bonuses/bonus-store.ts';
import { atProvider, intents, Person } from '../../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp, startOtherNode } from '../../transports/testing/running-app.ts';
import { httpClient } from '../../transports/testing/running-server.ts';

const shared = { TOKEN_SECRET: 't'.repeat(32), PUBLIC_URL: 'http://localhost:9' };
let here: RunningApp;
let other: App;
let shipped: readonly OwnBonus[];

beforeAll(async () => {
  here = await startApp(shared);
  other = await startOtherNode(here, shared, systemClock);
  shipped = (await read()).bonuses;
});
afterEach(() => put(shipped));
afterAll(async () => {
  await other?.stop();
  await here?.stop();
});

const half: OwnBonus = {
  id: 'half',
  type: 'deposit',
  currency: 'USD',
  title: { en: 'Half', de: 'Hälfte' },
  depositBonusData: { minDeposit: '10', maxBonusAmount: '100', percent: 50, payoutMultiplier: 2, wagerMultiplier: 3 },
};

const asked = async (path: string, { body, base = here.url }: { body?: object; base?: string } = {}) => {
  const response = await fetch(`${base}/operator/v1${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};
const read = async (): Promise<BonusSettingsResponse> =>
  v.parse(bonusSettingsResponseSchema, (await asked('/bonuses')).body);
const put = async (bonuses: readonly unknown[]): Promise<BonusSettingsResponse> => {
  const { version } = await read();
  const { status, body } = await asked('/bonuses', { body: { version, staff: 'maria', bonuses } });
  expect(status, JSON.stringify(body)).toBe(200);
  return v.parse(bonusSettingsResponseSchema, body);
};
const offeredTo = async (userId: string, locale = 'en') =>
  (await asked(`/users/${userId}/bonuses?currency=USD&locale=${locale}`, { base: other.url })).body.bonuses;

test('[BON-1] [SRV-1] own bonuses replace the sandbox’s, at the other node, on the very next call', async () => {
  expect(shipped.length).toBeGreaterThanOrEqual(12);
  const stored = await put([half]);
  expect(stored).toMatchObject({ bonuses: [half], changed: { staff: 'maria' } });
  const { title: _title, ...terms } = half;
  expect(await offeredTo('ann')).toEqual([{ ...terms, content: { title: 'Half' } }]);
  expect(await offeredTo('ann', 'de-CH')).toMatchObject([{ content: { title: 'Hälfte' } }]);
  await put([{ ...half, startsAt: '2126-01-01T00:00:00Z' }]);
  expect(await offeredTo('ann')).toEqual([]);
  await put([]);
  expect([await offeredTo('ann'), (await read()).bonuses]).toEqual([[], []]);
});

test('[BON-2] [BON-3] a deposit keeps its bonus after the bonus is changed and removed; a new deposit does not get it', async () => {
  const intent = { ...intents.redirect, amount: '80.00' };
  const asks = { isActivatedBonus: true, bonusId: 'half' };
  await put([half]);
  const [first, second] = [await Person.with(here, intent), await Person.with(here, intent)];
  const [one, two] = [randomUUID(), randomUUID()];
  expect((await first.create(one, asks)).status).toBe(200);
  await put([{ ...half, depositBonusData: { ...half.depositBonusData, percent: 10 } }]);
  expect((await second.create(two, asks)).status).toBe(200);
  await put([]);
  for (const [person, depositId] of [
    [first, one],
    [second, two],
  ] as const) {
    await atProvider(here, depositId, 'pay');
    await person.becomes(depositId, { status: 1, finalAmount: '80.00' });
  }
  expect([await first.balance('bonus'), await second.balance('bonus')]).toEqual([4_000n, 800n]);
  // At the other node nobody has asked for bonuses since the change.
  const late = await httpClient(other.url).call(
    calls['deposit-create'],
    { amount: '80.00', currency: 'USD', depositId: randomUUID(), paymentType: 'card', ...asks },
    { token: await here.tokenOf('late') },
  );
  expect(late).toMatchObject({ status: 422, error: { code: 'bonus-expired' } });
});

test('[SRV-1] names each wrong field in words, and changes nothing', async () => {
  const before = await read();
  const wrong = [half, { ...half, depositBonusData: { ...half.depositBonusData, minDeposit: '9.999' } }];
  const { status, body } = await asked('/bonuses', {
    body: { version: before.version, staff: 'maria', bonuses: wrong },
  });
  expect([status, body.error.code]).toEqual([400, 'invalid-request']);
  expect(body.error.fields).toEqual([
    { path: 'bonuses.1.id', message: 'The id half is used twice: bonuses.0 has it, too.' },
    {
      path: 'bonuses.1.depositBonusData.minDeposit',
      message: '9.999 is no amount in USD, which has 2 decimals.',
    },
  ]);
  const misspelt = { version: before.version, staff: 'maria', bonuses: [{ ...half, percnt: 1 }] };
  expect((await asked('/bonuses', { body: misspelt })).body.error.fields[0].path).toBe('bonuses.0.percnt');
  expect(await read()).toEqual(before);
});

test('[SRV-1] refuses a change based on an older version, but answers a repeat of the last change', async () => {
  const { version } = await read();
  const change = (staff: string) => asked('/bonuses', { body: { version, staff, bonuses: [half] } });
  const answers = await Promise.all(['maria', 'john'].map(change));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = answers[0]?.status === 200 ? 'maria' : 'john';
  expect((await change(winner)).body).toMatchObject({ version: version + 1, changed: { staff: winner } });
  const late = await change('late');
  expect(late.body.error).toMatchObject({ code: 'state-conflict', params: { version: String(version + 1) } });
  expect(late.body.error.message).toContain(`by ${winner}`);
  await here.database.query({
    text: `insert into operator (id, partner_key, name) values ('fresh', 'fresh', 'Fresh')`,
  });
  const first = (staff: string) => saveBonuses(here.database, 'fresh', { version: 0, bonuses: [half], staff });
  expect((await Promise.all(['maria', 'john'].map(first))).sort()).toEqual([false, true]);
});

test('[SRV-1] every version stays in the history, and the settings’ history names who changed what with which key', async () => {
  await put([half]);
  await put([]);
  const page = (await asked('/bonuses/changes?limit=2')).body;
  expect(page.changes).toMatchObject([
    { staff: 'maria', bonuses: [] },
    { staff: 'maria', bonuses: [half] },
  ]);
  const next = (await asked(`/bonuses/changes?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`)).body;
  expect(next.changes[0].version).toBe(page.changes[1].version - 1);
  const { changes } = (await asked('/setting-changes?setting=bonuses&limit=1')).body;
  expect(changes).toMatchObject([{ by: 'maria', keyId: expect.any(String), before: { order: ['half'] } }]);
  await expect(here.database.query({ text: 'delete from bonus_change' })).rejects.toThrow();
});
