import { HostPage } from '../stack/host-page.ts';
import { withDatabase } from '../stack/ledger.ts';
import { SocketLine } from '../stack/socket-line.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

let site: StaticSite;
let stack: Stack;

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

for (const transport of ['socket', 'http'] as const) {
  test(`[HOST-4] [DEP-9] close during a creation, over ${transport}: one notice, the host is informed, the deposit continues`, async ({
    page,
  }) => {
    const userId = `closer-${transport}`;
    const notices: { authorization: string | undefined; body: unknown }[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/session-form-on-close-modal')) return;
      notices.push({ authorization: request.headers()['authorization'], body: request.postDataJSON() });
    });
    const line = await SocketLine.watch(page, 'deposit-create');
    let createsSent = 0;
    let answer: () => void = () => {};
    const isReleased = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/BANKING/deposit-create', async (route) => {
      createsSent += 1;
      const response = await route.fetch();
      await isReleased;
      await route.fulfill({ response }).catch(() => undefined);
    });
    const host = new HostPage(page, stack, site);
    await host.open('/deposit/redirect/card', { userId, payload: { transport } });
    await host.widget.getByRole('textbox', { name: 'Amount' }).fill('25.00');
    line.hold();
    await host.widget.getByRole('button', { name: /^Deposit/ }).click();
    await expect.poll(() => line.sent + createsSent).toBe(1);

    const closings = async () => (await host.said()).filter(({ messageType }) => messageType === 'close').length;
    await page.evaluate(() => window.tellCashier({ messageType: 'close', payload: {} }));
    await expect.poll(closings).toBe(1);
    await expect.poll(() => notices.length).toBe(1);
    // The host closes it, and another host removes the frame.
    await page.evaluate(() => window.tellCashier({ messageType: 'close', payload: {} }));
    await expect.poll(closings).toBe(2);
    await page.evaluate(() => document.querySelector('iframe')?.remove());
    line.release();
    answer();

    expect(notices).toHaveLength(1);
    expect(notices[0]?.authorization).toMatch(/^Bearer ./);
    expect(notices[0]?.body).toMatchObject({
      paymentMethod: 'card',
      paymentMethodText: 'Bank card',
      userId,
    });
    // The request was sent; the server may still be storing it.
    await expect
      .poll(async () => {
        const [row] = await withDatabase(stack, (ask) =>
          ask<{ n: string }>(`select count(*)::text as n from deposit where user_id = '${userId}'`),
        );
        await stack.startCashier();
        return row?.n;
      })
      .toBe('1');
    expect(notices).toHaveLength(1);
    // The server stores it before it answers.
    await page.unrouteAll({ behavior: 'wait' });
  });
}

test('[HOST-4] [DEP-9] close while nothing is being created informs only the host', async ({ page }) => {
  const notices: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/session-form-on-close-modal')) notices.push(request.url());
  });
  const host = new HostPage(page, stack, site);
  await host.open('/deposit/redirect/card');
  await page.evaluate(() => window.tellCashier({ messageType: 'close', payload: {} }));
  await expect.poll(async () => (await host.said()).map(({ messageType }) => messageType)).toContain('close');
  expect(notices).toEqual([]);
});
