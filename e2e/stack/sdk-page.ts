/** A host's page with only the built script of the SDK: no bundler, no framework. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Cashier, CashierOptions } from '../../packages/embed/src/index.ts';
import type { Stack } from './stack.ts';
import type { StaticSite } from './static-site.ts';

declare global {
  interface Window {
    readonly OpenCashier: { createCashier(options: CashierOptions): Cashier };
    handle: Cashier;
    /** Promises that a test waits for, by name. */
    outcomes: Record<string, unknown>;
    problems: { code: string; message: string }[];
    errors: { code: string; message: string }[];
  }
}

const dist = join(import.meta.dirname, '../../packages/embed/dist');
const script = { 'content-type': 'text/javascript; charset=utf-8' };

/** Puts the script and its parts onto a site. @returns the script's address */
export function serveSdk(site: StaticSite, headers: Readonly<Record<string, string>> = {}): string {
  for (const part of ['payments.js', 'doctor.js', 'element-class.js']) {
    site.file(`/sdk/${part}`, readFileSync(join(dist, part)), { ...script, ...headers });
  }
  return site.file('/sdk/cashier.global.js', readFileSync(join(dist, 'cashier.global.js')), { ...script, ...headers });
}

let pages = 0;

export interface SdkPage {
  /** The policy of the page. Absent: nothing is forbidden. */
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Options of `createCashier` as source text. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The tag of the SDK's script, when another site serves it. */
  readonly sdk?: string;
  /** Absent: a new guest. */
  readonly userId?: string;
  /** Runs right after the cashier was made. */
  readonly after?: string;
  /** The answer of `getToken`. Absent: a valid token. */
  readonly token?: string;
  /** Source text that runs in each call of `getToken`, before its answer. */
  readonly atToken?: string;
}

/** Opens a page whose script creates a cashier, `window.handle`. @returns its user */
export async function openSdkPage(page: Page, stack: Stack, site: StaticSite, wanted: SdkPage = {}): Promise<string> {
  pages += 1;
  const userId = wanted.userId ?? `sdk-${process.pid}x${pages}`;
  const token = wanted.token ?? (await stack.mintToken({ userId, currency: 'USD', country: 'IN' }));
  const options = {
    cashierUrl: stack.cashierUrl,
    partner: 'demo',
    mode: 'modal',
    locale: 'en',
    payload: { userId, currency: 'USD', paymentGeo: 'IN' },
    ...wanted.options,
  };
  const own = site.file(
    `/own-${pages}.js`,
    `window.outcomes = {}; window.problems = []; window.errors = [];
    window.handle = OpenCashier.createCashier({
      ...${JSON.stringify(options)},
      getToken: () => {
        ${wanted.atToken ?? ''}
        return ${JSON.stringify(token)};
      },
      onProblem: (problem) => problems.push(problem),
      onError: (error) => errors.push(error),
    });
    ${wanted.after ?? ''}`,
    script,
  );
  const address = site.page(
    `/sdk-${pages}`,
    `<!doctype html><html lang="en"><title>Host</title><div id="cashier"></div>
    ${wanted.sdk ?? `<script src="${serveSdk(site)}"></script>`}<script src="${own}"></script>`,
    { ...(wanted.policy !== undefined && { 'content-security-policy': wanted.policy }), ...wanted.headers },
  );
  await page.goto(address);
  return userId;
}
