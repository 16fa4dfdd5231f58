/** An operator replaces texts on one node. Its users open pages of another node with the same database. */
import { listTextChanges, type TextsResponse, textsResponseSchema } from '@opencashier/contract/operator';
import { createTestClock } from '@opencashier/core/time/test-clock';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { App } from '../../app.ts';
import type { Database } from '../../database/database.ts';
import { followTexts } from '../../own-texts/followed-texts.ts';
import { saveOwnTexts } from '../../own-texts/texts-store.ts';
import { widgetTextsIn } from '../../own-texts/widget-texts.ts';
import { appOperatorKey, type RunningApp, startApp, startOtherNode } from '../../transports/testing/running-app.ts';
import { widgetFixture } from '../../transports/testing/running-server.ts';
import { textHandlers } from './text-handlers.ts';

const shared = { TOKEN_SECRET: 't'.repeat(32), PUBLIC_URL: 'http://localhost:9' };
const clock = createTestClock(Date.now());
let here: RunningApp;
let other: App;

beforeAll(async () => {
  here = await startApp(shared, clock);
  other = await startOtherNode(here, shared, clock);
});
afterAll(async () => {
  await other?.stop();
  await here?.stop();
});

const asked = async (path: string, body?: object, key = appOperatorKey) => {
  const response = await fetch(`${here.url}/operator/v1/texts${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const read = async (): Promise<TextsResponse> => v.parse(textsResponseSchema, (await asked('')).body);
/** Replaces the texts of a language in the current version. */
const tryPut = async (locale: string, texts: object) =>
  asked(`/${locale}`, { version: (await read()).version, staff: 'maria', texts });
const put = async (locale: string, texts: object): Promise<TextsResponse> => {
  const { status, body } = await tryPut(locale, texts);
  expect(status, JSON.stringify(body)).toBe(200);
  return v.parse(textsResponseSchema, body);
};
/** The folder of own texts in the page of the other node, after the time of its refresh. */
const folderAtOther = async (): Promise<string | undefined> => {
  await clock.advanceAsync(5_000);
  return folderIn(await page());
};
afterEach(async () => {
  for (const locale of Object.keys((await read()).locales)) await put(locale, {});
  await expect.poll(folderAtOther).toBeUndefined();
});

const get = (path: string, url = other.url) => fetch(`${url}/cashier/${path}`);
const page = async (query = 'partner=demo', url = other.url) => (await get(`?${query}`, url)).text();
const folderIn = (html: string) => /"texts":"([^"]*)"/.exec(html)?.[1];
const textsIn = async (locale: string, folder: string | undefined, url = other.url) =>
  (await (await get(`${folder}/${locale}.095ce41d.json`, url)).json()) as Record<string, unknown>;

describe('[UI-1] [SRV-1] an operator’s own texts', () => {
  test('are listed beside what they replace, and removed by an empty object', async () => {
    const before = await read();
    await put('es', { 'empty.hint': 'Activa una VPN' });
    const after = await put('es-MX', {
      title: 'Deposita',
      spins: '{count, plural, one {# giro de {game}} other {# giros de {game}}}',
    });
    expect(after).toMatchObject({
      version: before.version + 2,
      changed: { staff: 'maria' },
      locales: {
        es: { 'empty.hint': { text: 'Activa una VPN', replaces: 'Elige otra región' } },
        'es-MX': {
          title: { text: 'Deposita', replaces: 'Depositar' },
          spins: { replaces: expect.stringContaining('tirada') },
        },
      },
    });
    expect(await read()).toEqual(after);
    expect((await put('es', {})).locales).not.toHaveProperty('es');
    expect((await asked('', undefined, 'sk_nobody')).status).toBe(401);
  });

  test('are in force on another node within seconds, in one file that a browser keeps', async () => {
    const plain = await page();
    expect(folderIn(plain)).toBeUndefined();
    await put('ar', { 'empty.hint': 'شغّل VPN', pay: 'أرسل {amount}' });
    expect(folderIn(await page('partner=demo', here.url))).toMatch(/^texts\/demo\/\d+-[0-9a-f]{8}$/);
    await expect.poll(folderAtOther).toMatch(/^texts\/demo\/\d+-[0-9a-f]{8}$/);
    const folder = folderIn(await page());
    const answer = await get(`${folder}/ar.095ce41d.json`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toContain('application/json');
    const renamed = await get(`${folder?.replace(/-.*/, '-00000000')}/ar.095ce41d.json`);
    expect([renamed.status, renamed.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await answer.json()).toEqual({ title: 'إيداع', 'empty.hint': 'شغّل VPN', pay: 'أرسل {amount}' });
    // A language without own texts is as built.
    expect(await textsIn('en', folder)).toMatchObject({ 'empty.hint': 'Choose another region, or try again later' });
    // Without own texts the page is as before, byte by byte.
    await put('ar', {});
    await expect.poll(folderAtOther).toBeUndefined();
    expect(await page()).toBe(plain);
  });

  test('of a language are shown in its variants, which may have their own', async () => {
    await put('es', { title: 'Ingresar', 'empty.hint': 'Activa una VPN' });
    await put('es-MX', {
      'empty.hint': 'Prende una VPN',
      spins: '{count, plural, one {# giro de {game}} other {# giros de {game}}}',
    });
    const texts = await textsIn('es-MX', folderIn(await page('partner=demo', here.url)));
    expect(texts).toEqual({
      title: 'Ingresar',
      'empty.hint': 'Prende una VPN',
      pay: 'Pagar {amount}',
      spins: ['count', { one: '{count} giro de {game}', other: '{count} giros de {game}' }],
    });
  });

  test('of a page that was answered before a change can still be loaded, also from a node that has not seen them', async () => {
    await put('en', { title: 'One' });
    const first = folderIn(await page('partner=demo', here.url));
    // The other node reads the version when it is asked for it.
    expect(await textsIn('en', first)).toMatchObject({ title: 'One' });
    await put('en', { title: 'Two' });
    const second = folderIn(await page('partner=demo', here.url));
    expect(await textsIn('en', second)).toMatchObject({ title: 'Two' });
    expect(await textsIn('en', first)).toMatchObject({ title: 'One' });
    // A file that nobody has asked for yet.
    expect(await textsIn('ar', first)).toEqual({ title: 'إيداع' });
  });

  test('[SRV-7] of an old page are read from the history, also by a node that was started later', async () => {
    await put('es', { title: 'Ingresar' });
    await put('en', { title: 'One' });
    const old = folderIn(await page('partner=demo', here.url));
    await put('es', {});
    for (const title of ['Two', 'Three', 'Four']) await put('en', { title });
    await expect.poll(folderAtOther).toBeDefined();
    for (const url of [here.url, other.url]) {
      expect(await textsIn('en', old, url)).toMatchObject({ title: 'One' });
      expect(await textsIn('es-MX', old, url)).toMatchObject({ title: 'Ingresar' });
    }
    const late = await followTexts(here.database, clock, () => {});
    const version = Number(/\d+/.exec(old ?? ''));
    expect(late.whereIs('demo', version)).toBe('older');
    await late.load('demo', version);
    expect(late.at('demo', version)?.byLocale.get('es')).toEqual({ title: 'Ingresar' });
    expect(late.newest('demo')?.byLocale.has('es')).toBe(false);
    late.stop();
  });

  test.each([
    ['another partner', 'texts/nobody/1/en.095ce41d.json'],
    ['a version that is not there yet', 'texts/demo/999999-3f9a1c2b/en.095ce41d.json'],
    ['a version before the first', 'texts/demo/0-3f9a1c2b/en.095ce41d.json'],
    ['no version', 'texts/demo/x-3f9a1c2b/en.095ce41d.json'],
    ['a path', 'texts/demo/1-3f9a1c2b/..%2f..%2fserver%2ftexts.json'],
    ['another file', 'texts/demo/1-3f9a1c2b/index.html'],
  ])('are not found for %s', async (_what, path) => {
    await put('en', { title: 'One' });
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('of a language or a build that is not there are not found', async () => {
    await put('en', { title: 'One' });
    const folder = folderIn(await page('partner=demo', here.url));
    for (const file of ['xx.095ce41d.json', 'en-ABC.095ce41d.json', 'en.00000000.json']) {
      expect((await get(`${folder}/${file}`)).status).toBe(404);
    }
  });

  test('that do not fit this build are reported, and users see the built text', async () => {
    const { version } = await read();
    await saveOwnTexts(here.database, 'demo', {
      version,
      locale: 'en',
      staff: 'sam',
      texts: { title: 'Top up', pay: 'Pay', gone: 'x' },
    });
    await expect.poll(folderAtOther).toBeDefined();
    expect(await textsIn('en', folderIn(await page()))).toMatchObject({ title: 'Top up', pay: 'Pay {amount}' });
    const { en } = (await read()).locales;
    expect(en).toMatchObject({ title: { text: 'Top up' }, pay: { problem: 'The text lost {amount}.' } });
    expect(en?.['gone']).toEqual({ text: 'x', problem: 'The widget has no text with this key.' });
    expect(en?.['title']).not.toHaveProperty('problem');
  });
});

describe('[SRV-1] a change of own texts', () => {
  test('is refused with a line for each wrong text', async () => {
    const { status, body } = await tryPut('en', { nothing: 'x', pay: 'Pay', title: '<b>Pay</b>' });
    expect(status).toBe(400);
    expect((body['error'] as { fields: object[] }).fields).toEqual([
      { path: 'texts.nothing', message: 'The widget has no text with this key.' },
      { path: 'texts.pay', message: 'The text lost {amount}.' },
      { path: 'texts.title', message: expect.stringContaining('Markup') },
    ]);
    expect((await tryPut('xx', {})).status).toBe(404);
    expect((await read()).locales).toEqual({});
  });

  test('is refused after another change, also one of another language', async () => {
    const { version } = await read();
    await put('en', { title: 'One' });
    const late = await asked('/ar', { version, staff: 'sam', texts: {} });
    expect(late).toMatchObject({
      status: 409,
      body: { error: { code: 'state-conflict', params: { version: `${version + 1}` } } },
    });
    const both = await Promise.all(['en', 'es'].map((locale) => tryPut(locale, { title: 'Two' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is answered as stored when it is repeated, and until the next change', async () => {
    const { version } = await read();
    const change = { version, staff: 'maria', texts: { title: 'One', pay: 'Now {amount}' } };
    const first = await asked('/en', change);
    expect(first.status).toBe(200);
    expect(await asked('/en', { ...change, texts: { pay: 'Now {amount}', title: 'One' } })).toEqual(first);
    expect((await asked('/en', { ...change, staff: 'sam' })).status).toBe(409);
    expect((await asked('/en', { ...change, texts: { title: 'One' } })).status).toBe(409);
    await put('ar', { title: 'أ' });
    expect((await asked('/en', change)).status).toBe(409);
  });

  test('[SRV-7] is answered as stored when this node cannot read it again', async () => {
    let isDown = false;
    const onError = vi.fn();
    const failing: Database = {
      ...here.database,
      query: (statement) => (isDown ? Promise.reject(new Error('down')) : here.database.query(statement)),
    };
    const texts = await followTexts(failing, clock, onError);
    const { putTexts } = textHandlers(here.database, { readWidget: widgetTextsIn(widgetFixture), texts });
    const { version } = await read();
    isDown = true;
    const body = { version, staff: 'maria', texts: { title: 'One' } };
    const callerGone = () => new AbortController().signal;
    const answer = await putTexts({ operatorId: 'demo', params: { locale: 'en' }, query: {}, body, callerGone });
    texts.stop();
    expect(answer).toMatchObject({ version: version + 1, locales: { en: { title: { text: 'One' } } } });
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('down'));
  });

  test('is stored for ever, with who made it', async () => {
    const { version } = await put('en', { title: 'One' });
    const { changes, nextCursor } = v.parse(listTextChanges.response, (await asked('/changes?limit=1')).body);
    expect(changes).toMatchObject([{ version, locale: 'en', staff: 'maria', texts: { title: 'One' } }]);
    const older = v.parse(listTextChanges.response, (await asked(`/changes?cursor=${nextCursor}`)).body);
    expect(older.changes[0]?.version).toBe(version - 1);
    for (const text of [
      'delete from own_texts_change',
      `update own_texts_change set staff = 'nobody'`,
      'delete from own_texts',
      'update own_texts set version = version + 2',
    ]) {
      await expect(here.database.query({ text })).rejects.toThrow();
    }
  });
});
