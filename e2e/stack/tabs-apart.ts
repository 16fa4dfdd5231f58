/** Two tabs of one person, neither of which sees yet what the other has stored, and a press in both in the same moment. */
import { expect, type Locator, type Page } from '@playwright/test';
import { SocketLine } from './socket-line.ts';

export interface TabApart {
  readonly tab: Page;
  /** Of the call that the press makes. */
  readonly line: SocketLine;
}

/**
 * Opens both on one page of the cashier. Not framed: frames of two tabs may share a process, in which one of them is always first.
 * @param call that a press makes
 * @param cashierPayload as a web view's page gives it
 */
export async function openTabsApart(
  page: Page,
  { address, call, cashierPayload }: { address: string; call: string; cashierPayload: object },
): Promise<readonly TabApart[]> {
  await page.context().addInitScript((payload) => {
    Object.assign(window, { cashierPayload: payload });
    // What a tab stores reaches the process of another a moment later. Here the moment lasts.
    const own = new Map<string, string>();
    Storage.prototype.getItem = (key) => own.get(key) ?? null;
    Storage.prototype.setItem = (key, value) => void own.set(key, value);
    Storage.prototype.removeItem = (key) => void own.delete(key);
  }, cashierPayload);
  const tabs = [page, await page.context().newPage()];
  return Promise.all(
    tabs.map(async (tab) => {
      const line = await SocketLine.watch(tab, call);
      await tab.clock.install();
      await tab.goto(address);
      return { tab, line };
    }),
  );
}

/** No answer before both have sent, and no time goes by: whoever is answered, or waits for seconds, has no key to show. */
export async function pressAtOnce(tabs: readonly TabApart[], buttonIn: (tab: Page) => Locator): Promise<void> {
  for (const { line } of tabs) line.hold();
  for (const { tab } of tabs) await tab.clock.pauseAt(Date.now() + 10_000);
  await Promise.all(tabs.map(({ tab }) => buttonIn(tab).evaluate((button: HTMLElement) => button.click())));
  for (const { line } of tabs) await expect.poll(() => line.sent).toBe(1);
  for (const { line } of tabs) line.release();
  for (const { tab } of tabs) await tab.clock.resume();
}
