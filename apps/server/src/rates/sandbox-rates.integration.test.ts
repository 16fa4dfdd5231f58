import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const read = async () => (await fetch(`${app.url}/sandbox/rates`)).text();
const stateOf = (page: string) => /data-state="(\w+)"/.exec(page)?.[1];
const send = async (fields: Record<string, string>) => {
  const token = /name="token" value="([0-9a-f]+)"/.exec(await read())?.[1] ?? '';
  const body = new URLSearchParams({ token, ...fields });
  return (await fetch(`${app.url}/sandbox/rates`, { method: 'POST', body, redirect: 'manual' })).status;
};

test('[CRY-3] the sandbox lets its rates stop, fail and come back, from its own form alone', async () => {
  expect(stateOf(await read())).toBe('fresh');
  expect(await send({ mood: 'stopped', age: '600' })).toBe(303);
  expect(stateOf(await read())).toBe('stopped');
  expect(await send({ mood: 'down' })).toBe(303);
  expect(stateOf(await read())).toBe('down');
  expect(await send({ mood: 'dear', token: 'guessed' })).toBe(403);
  expect(await send({ mood: 'dear' })).toBe(400);
  expect(await send({ mood: 'stopped', age: '-1' })).toBe(400);
  expect(stateOf(await read())).toBe('down');
  expect(await send({ mood: 'fresh' })).toBe(303);
  expect(stateOf(await read())).toBe('fresh');
});
