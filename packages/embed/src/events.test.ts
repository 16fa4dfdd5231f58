import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type CashierCallbacks, callbackEvents } from './events.ts';

/** The type asks for every option of `CashierCallbacks`, and for no other. */
const options = {
  onInit: 'init',
  onClose: 'close',
  onTransaction: 'transaction',
  onError: 'error',
  onMetric: 'metric',
  onLocaleError: 'onLocaleError',
  onSupport: 'support',
  onResize: 'resize',
  onTimeout: 'timeout',
  onTokenExpired: 'token-expired',
  onTokenFailed: 'token-failed',
  onProblem: 'problem',
  onMessage: 'message',
} as const satisfies Record<keyof CashierCallbacks, string>;

test('[HOST-15] every callback option hears its event, `onTransaction` among them', () => {
  expect(callbackEvents).toEqual(options);
});

test('[HOST-15] the guide lists exactly the events that have an option', async () => {
  const guide = await readFile(new URL('../../../docs/integrate.md', import.meta.url), 'utf8');
  const [, table = ''] = guide.split('\n### Events\n');
  const [rows = ''] = table.split('\n### ');
  const listed = [...rows.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.values(options).sort());
});
