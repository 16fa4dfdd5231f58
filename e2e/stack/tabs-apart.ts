/** Two tabs of a user that do not see each other's storage yet, and a press in both at the same moment. */
import { expect, type Locator, type Page } from '@playwright/test';
import { SocketLine } from './socket-line.ts';

export interface TabApart {
  readonly tab: Page;
  /** The requests of the call that the press makes. */
  readonly line: SocketLine;
}

/**
 * Opens both on the same page of the cashier. Not in frames: frames of two tabs may share a process, and one would always be first.
 * @param call the call that a press makes
 * @param cashierPayload the payload that a web view's page injects
 */
export async function openTabsApart(
  page: Page,
  { address, call, cashierPayload }: { address: string; call: string; cashierPayload: object },
): Promise<readonly TabApart[]> {
  await page.context().addInitScript((payload) => {
    Object.assign(window, { cashierPayload: payload });
    // Data that a tab stores reaches another tab's process a moment later. This test extends the moment.
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

/** Holds back answers until both tabs have sent, and stops the clock: an answer or a wait would hide the race. */
export async function pressAtOnce(tabs: readonly TabApart[], buttonIn: (tab: Page) => Locator): Promise<void> {
  for (const { line } of tabs) line.hold();
  for (const { tab } of tabs) await tab.clock.pauseAt(Date.now() + 10_000);
  await Promise.all(tabs.map(({ tab }) => buttonIn(tab).evaluate((button: HTMLElement) => button.click())));
  for (const { line } of tabs) await expect.poll(() => line.sent).toBe(1);
  for (const { line } of tabs) line.release();
  for (const { tab } of tabs) await tab.clock.resume();
}
