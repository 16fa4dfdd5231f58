/** The development server with a stand-in for the cashier behind it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from './ports.mjs';
import { startWidgetServer } from './widget-server.mjs';

const policy = "default-src 'none'; script-src 'self' 'sha256-a'; style-src 'self' 'sha256-b'";
const cashier = createServer((request, response) => {
  response.setHeader('content-security-policy', `${policy}; require-trusted-types-for 'script'`);
  response.end(`cashier ${request.url}`);
});
const folder = mkdtempSync(join(tmpdir(), 'widget-page-'));
let origin = '';
let front: Awaited<ReturnType<typeof startWidgetServer>> | undefined;

beforeAll(async () => {
  await new Promise<void>((resolve) => cashier.listen(0, '127.0.0.1', resolve));
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const behind = `http://127.0.0.1:${(cashier.address() as AddressInfo).port}`;
  front = await startWidgetServer({ port, host: '127.0.0.1', publicUrl: origin, cashier: behind, folder });
});

afterAll(async () => {
  await front?.close();
  cashier.close();
  rmSync(folder, { recursive: true });
});

test('the page loads the sources from the development server', async () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(page).toContain('src="/cashier/@vite/client"');
  expect(page).toContain('src="/cashier/src/main.tsx');
  const source = await fetch(`${origin}/cashier/src/main.tsx`);
  expect(source.headers.get('content-type')).toContain('javascript');
});

test('everything else comes from the cashier, and only the policy of styles is loosened', async () => {
  for (const path of ['/cashier/deposit?partner=demo', '/operator/v1/users', '/cashier/static/icons/own-1.svg']) {
    const answer = await fetch(origin + path);
    expect(await answer.text()).toBe(`cashier ${path}`);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' 'sha256-a'; style-src 'self' 'unsafe-inline'",
    );
  }
});

test('texts are served as they are written beside the screens, whatever hash is asked for', async () => {
  const texts = await fetch(`${origin}/cashier/static/locales/en.00000000.json`);
  expect(texts.headers.get('cache-control')).toBe('no-store');
  expect(await texts.json()).toMatchObject({ 'amount.label': 'Amount' });
});
