/** An operator sets its own bonus engine by the API, on the whole server. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineBonus, engineSecret, type FakeEngine, withFakeEngine } from '../../bonus-engine/fake-engine.fixture.ts';
import { intents, Person } from '../../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../../transports/testing/running-app.ts';

let running: RunningApp;
let engine: FakeEngine;
withFakeEngine((opened) => {
  engine = opened;
});
beforeAll(async () => {
  running = await startApp({ SEED_DEMO_WEBHOOK_SECRET: engineSecret });
});
afterAll(() => running?.stop());

async function asked(path: string, body?: object) {
  const response = await fetch(`${running.url}/operator/v1${path}`, {
    method: body === undefined ? 'GET' : 'PATCH',
    headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
const set = (bonusEngine: object | null) => asked('/settings', { staff: 'maria', bonusEngine });

test('[BON-1] [SRV-1] an engine is set, changed, switched off and forgotten, and each change is in the history', async () => {
  const url = `${engine.url}?key=secret`;
  expect((await asked('/settings')).body.bonusEngine).toBeNull();
  expect((await set({ url })).body.bonusEngine).toEqual({ url, isOn: true, fallback: 'list' });
  expect((await set({ fallback: 'none' })).body.bonusEngine).toEqual({ url, isOn: true, fallback: 'none' });
  expect((await asked('/bonuses/engine')).body).toEqual({ source: 'engine' });
  expect((await set({ isOn: false })).body.bonusEngine).toMatchObject({ isOn: false });
  expect((await asked('/bonuses/engine')).body).toEqual({ source: 'list' });
  expect((await set(null)).body.bonusEngine).toBeNull();
  const { changes } = (await asked('/setting-changes?setting=operator.bonusEngine')).body;
  expect(changes).toHaveLength(4);
  expect(changes[3]).toMatchObject({ by: 'maria', after: { url: engine.url, isOn: true, fallback: 'list' } });
  expect(JSON.stringify(changes)).not.toContain('secret');
});

test.each([
  [{ isOn: true }, 'bonusEngine.url', 'None is stored yet'],
  [{ url: 'ftp://api.example.com' }, 'bonusEngine.url', 'not https'],
  [{ url: 'https://maria:pw@api.example.com' }, 'bonusEngine.url', 'a user or password'],
  [{ url: 'https://api.example.com', fallback: 'cache' }, 'bonusEngine.fallback', 'list, none'],
  [{ url: 'https://api.example.com', mode: 'on' }, 'bonusEngine.mode', 'unknown'],
])('[SRV-1] %j is refused in words', async (bonusEngine, path, words) => {
  const { status, body } = await set(bonusEngine);
  expect(status).toBe(400);
  expect(body.error.fields).toEqual([{ path, message: expect.stringContaining(words) }]);
});

test('[BON-2] users see and get what the engine says, by the whole server', async () => {
  const person = await Person.with(running, { ...intents.redirect, amount: '300.00' });
  await set({ url: engine.url });
  engine.bonuses.set(person.userId, [{ ...engineBonus('vip'), currency: 'USD', title: { en: 'VIP', de: 'Für dich' } }]);
  const { body } = await asked(`/users/${person.userId}/bonuses?currency=USD&locale=de`);
  expect(body).toMatchObject({ source: 'engine', bonuses: [{ id: 'vip', content: { title: 'Für dich' } }] });
  expect((await asked('/users/another/bonuses?currency=USD')).body).toMatchObject({ source: 'engine', bonuses: [] });
  const chosen = { isActivatedBonus: true, bonusId: 'vip' };
  expect((await person.create(randomUUID(), chosen)).status).toBe(200);
  const other = await Person.with(running, { ...intents.redirect, amount: '300.00' });
  const refused = { status: 422, error: { code: 'bonus-expired' } };
  expect(await other.create(randomUUID(), chosen)).toMatchObject(refused);
  await set(null);
});
