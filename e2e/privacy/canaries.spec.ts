import { HostPage } from '../stack/host-page.ts';
import { Stack } from '../stack/stack.ts';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

declare global {
  interface Window {
    /** Bodies of the beacons of this page. */
    beacons: string[];
  }
}

/** The input of a person into the form of a direct debit. No other text of the page looks like it. */
const typed: Record<string, string> = {
  Salutation: 'MX',
  IBAN: 'DE39777788889999000011',
  Postcode: '60471',
  'Day of the month': '27',
  'Date of birth': '17.03.1987',
  'Monthly limit': '1987.65',
  Email: 'canary.bird@nest.example',
};
const amount = '1357.91';
/** Long enough not to be part of a hash or a time by chance. */
const canaries = [...Object.values(typed).filter((value) => value.length > 4), amount, 'canary'];
/** The calls that must carry the input. */
const carriers = /"[A-Z_]+:(?:deposit-create|session-start)"/;

test('[NET-8] [ERR-3] [HOST-10] nothing that was typed, no token and no email is ever in a beacon, the console, the storage, a host message, an address or a log', async ({
  page,
  context,
}) => {
  const site = await StaticSite.start();
  const stack = await Stack.start({ origins: [site.origin] });
  try {
    const addresses: string[] = [];
    const bodies: string[] = [];
    const lines: string[] = [];
    page.on('request', (request) => {
      addresses.push(request.url());
      bodies.push(request.postData() ?? '');
    });
    page.on('websocket', (socket) => {
      addresses.push(socket.url());
      socket.on('framesent', ({ payload }) => bodies.push(String(payload)));
    });
    page.on('console', (message) => lines.push(message.text()));
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await context.addInitScript(() => {
      window.beacons = [];
      const send = navigator.sendBeacon.bind(navigator);
      navigator.sendBeacon = (address, data) => {
        if (data instanceof Blob) void data.text().then((text) => window.beacons.push(`${address} ${text}`));
        return send(address, data);
      };
    });

    const host = new HostPage(page, stack, site);
    await host.open('/deposit/redirect/bank_details_de', {
      currency: 'EUR',
      country: 'DE',
      payload: { email: 'canary.host@nest.example' },
    });
    const { widget } = host;
    await widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
    for (const [label, value] of Object.entries(typed)) {
      await widget.getByLabel(label, { exact: true }).first().fill(value);
    }
    await widget
      .getByLabel('Bank', { exact: true })
      .selectOption('east')
      .catch(async () => {
        await widget.getByLabel('Bank', { exact: true }).click();
        await widget
          .getByRole('option', { name: 'Ostbank' })
          .or(widget.getByRole('button', { name: 'Ostbank' }))
          .first()
          .click();
      });
    // A fault whose message quotes the input, and a refused call.
    await host.frame().evaluate((value) => {
      setTimeout(() => {
        throw new Error(`cannot read ${value}`);
      }, 0);
    }, typed.Email ?? '');
    await widget.getByRole('textbox', { name: 'Amount' }).fill('1357.14');
    const popups = page.waitForEvent('popup');
    await widget.getByRole('button', { name: /^Deposit/ }).click();
    await popups;
    await expect(widget.getByRole('main').getByRole('alert')).not.toBeEmpty();
    await widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
    await widget.getByRole('button', { name: /^Deposit/ }).click();
    await expect(widget.getByText('Waiting for your payment')).toBeVisible();
    // Waits for late reports: the batch of events, and the faults.
    await expect.poll(() => host.frame().evaluate(() => window.beacons.length), { timeout: 60_000 }).toBeGreaterThan(0);
    await expect.poll(() => bodies.some((body) => body.includes('call-failed.deposit-create'))).toBe(true);

    const token = await page.evaluate(() => window.cashierToken);
    expect(token.length).toBeGreaterThan(40);
    const secrets = [...canaries, '1357.14', token];
    const kept = await host.frame().evaluate(async () => ({
      local: JSON.stringify(Object.entries(localStorage)),
      session: JSON.stringify(Object.entries(sessionStorage)),
      cookies: document.cookie,
      databases: JSON.stringify(await indexedDB.databases()),
      caches: JSON.stringify(await caches.keys()),
      beacons: window.beacons,
      state: JSON.stringify(history.state),
    }));
    const said = JSON.stringify(await host.said());
    const places: Record<string, string> = {
      beacons: kept.beacons.join('\n'),
      'other calls': bodies.filter((body) => !carriers.test(body) && !body.startsWith('40{')).join('\n'),
      console: lines.join('\n'),
      storage: [kept.local, kept.session, kept.cookies, kept.databases, kept.caches, kept.state].join('\n'),
      'messages to the host': said,
      addresses: addresses.join('\n'),
      'the log of the server': stack.log.join(''),
    };
    // The search itself works: it finds texts that are there.
    expect(bodies.join('\n')).toContain(typed.Email);
    expect(said).toContain('"init"');
    expect(places['the log of the server']).toContain('/operator/v1/user-tokens');
    for (const [place, text] of Object.entries(places)) {
      const found = secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()));
      expect(found, place).toEqual([]);
    }
  } finally {
    await Promise.all([stack.stop(), site.stop()]);
  }
});
