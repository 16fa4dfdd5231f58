import { HostPage } from '../stack/host-page.ts';
import { Stack } from '../stack/stack.ts';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

declare global {
  interface Window {
    cashier?: {
      forceLogging(on: boolean): void;
      setUser(user: unknown): void;
      setTransport(transport: string): void;
    };
  }
}

test('[HOST-9] [HOST-10] where debugging is allowed the console stores, reloads and is heard', async ({
  page,
  context,
}) => {
  const site = await StaticSite.start();
  const stack = await Stack.start({ origins: [site.origin] });
  try {
    const overHttp: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/BANKING/')) overHttp.push(request.url());
    });
    const host = new HostPage(page, stack, site);
    await host.open('/deposit');
    expect(overHttp).toEqual([]);
    /** Calls a hook after the answer, since the reload by the hook would end the call. */
    const call = async (name: 'forceLogging' | 'setUser' | 'setTransport', value: unknown): Promise<void> => {
      const starts = (await host.said()).filter(({ messageType }) => messageType === 'init').length;
      await host.frame().evaluate(
        ([hook, given]) => {
          setTimeout(() => (window.cashier as unknown as Record<string, (value: unknown) => void>)[hook]?.(given), 0);
        },
        [name, value] as const,
      );
      await host.untilStarted(starts + 1);
    };

    await call('forceLogging', true);
    expect(await host.frame().evaluate(() => sessionStorage.getItem('force_logging'))).toBe('1');
    await host.show('/error');
    await expect(host.widget.getByText('Error occurred')).toBeVisible();

    await call('setTransport', 'http');
    await host.show('/deposit');
    await expect.poll(() => overHttp.length).toBeGreaterThan(0);
    expect(await host.frame().evaluate(() => sessionStorage.getItem('transport'))).toBe('http');

    await call('setUser', {
      id: 'u-7',
      currency: 'EUR',
      locale: 'de',
      platform: 'web',
      token: 'stolen',
      email: 'a@b.c',
    });
    const cookie = (await context.cookies(`${stack.cashierUrl}/cashier/`)).find(({ name }) => name === 'cashier_user');
    expect(JSON.parse(decodeURIComponent(cookie?.value ?? '{}'))).toEqual({
      id: 'u-7',
      currency: 'EUR',
      locale: 'de',
      platform: 'web',
    });
    expect(cookie).toMatchObject({ expires: -1, secure: true, sameSite: 'Strict', path: '/cashier' });
    expect(JSON.stringify(await host.frame().evaluate(() => ({ ...sessionStorage })))).not.toMatch(/stolen|a@b/);
  } finally {
    await Promise.all([stack.stop(), site.stop()]);
  }
});

test('[HOST-10] where it is not, there are no hooks, and what somebody stored as the user is not read', async ({
  page,
}) => {
  const site = await StaticSite.start();
  // Outside the sandbox a cashier needs public addresses. This test calls none of them.
  const env = {
    SANDBOX: '0',
    PUBLIC_URL: 'https://cashier.example',
    SEED_DEMO_WEBHOOK_URL: 'https://operator.example/webhooks',
  };
  const stack = await Stack.start({ origins: [site.origin], env });
  try {
    const host = new HostPage(page, stack, site);
    await host.open('/deposit');
    expect(await host.frame().evaluate(() => typeof window.cashier)).toBe('undefined');
    const boot = await host.frame().evaluate(() => document.getElementById('boot-config')?.textContent);
    expect(JSON.parse(boot ?? '')).toMatchObject({ partner: 'demo', debug: false });
  } finally {
    await Promise.all([stack.stop(), site.stop()]);
  }
});
