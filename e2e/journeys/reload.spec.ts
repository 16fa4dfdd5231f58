import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

/** The addresses of section 2 of the specification: which screen each opens, and where Back leads from there. */
type Address = readonly [path: string, lands: string | RegExp, back?: string | RegExp];

const stays = (base: string, back: string, paths: readonly string[]): Address[] =>
  paths.map((path) => [`${base}/${path}`, `${base}/${path}`, back]);

/** Pages inside a flow. Without a payment in progress the flow shows its first page or redirects to the list. */
const inFlow = (tree: string, paths: readonly string[]): Address[] =>
  paths.map((path) => {
    const own = new RegExp(`^${tree}(?:/${path.split('/')[0]}(?:/.*)?)?$`);
    return [`${tree}/${path}`, own, own];
  });

const below = (tree: string, home: string): Address[] => [
  [tree, tree],
  [`${tree}/region`, `${tree}/region`],
  ...stays(tree, tree, ['redirect/card', 'group/card_method', 'group/card_method/redirect/card']),
  ...inFlow(tree, [
    'redirect/card/instruction',
    'redirect/card/eazype',
    'redirect/card/pix',
    'redirect/card/upi-qr',
    'redirect/card/unified-form',
    'crypto',
    'crypto/btc',
    'india/card',
    'india/card/invoice',
    'peer-to-peer/card',
    'peer-to-peer/card/base',
    'peer-to-peer/card/invoice',
    'peer-to-peer/card/unified-form',
    'peer-to-peer/card/instruction',
    'host-to-host/card',
    'cash/card',
    'onramp/card',
    'onramp/card/offer-list',
    'bonus-details',
    'video-instruction',
  ]),
  [`${tree}/complete`, tree],
  [`${tree}/complete?depositId=01890a5d-ac96-774b-bcce-b302099a8057&method=card`, `${tree}/complete`, tree],
  // The guard redirects: the catalogue has no such method.
  [`${tree}/redirect`, home],
  [`${tree}/redirect/no_such_method`, home],
  [`${tree}/redirect/no_such_method/pix`, home],
  [`${tree}/group/no_such_group`, home],
  [`${tree}/group/card_method/redirect/no_such_method`, home],
];
const withdrawal = (tree: string, home: string, method = 'card_withdrawal'): Address[] => [
  [tree, tree],
  [`${tree}/region`, `${tree}/region`],
  ...stays(tree, tree, [`redirect/${method}`, `redirect/${method}/instruction`]),
  // A method without banks shows its form.
  [`${tree}/nigerian-banks/${method}`, `${tree}/redirect/${method}`, tree],
  // No payment is in progress.
  [`${tree}/confirm`, tree],
  [`${tree}/complete`, tree],
  [`${tree}/redirect/no_such_method`, home],
  [`${tree}/redirect/no_such_method/instruction`, home],
  [`${tree}/nigerian-banks`, home],
  [`${tree}/group/no_such_group`, home],
];
const shared: Address[] = [
  ['/empty', '/empty'],
  ['/empty/region', '/empty/region'],
  ['/error', '/error'],
  ['/form', '/form'],
];

const fiat = '/cryptobalance/deposit/fiat';
const products: Record<string, Address[]> = {
  main: [
    ['/', '/deposit'],
    ['/no/such/place', '/deposit'],
    ...below('/deposit', '/deposit'),
    ...withdrawal('/withdrawal', '/deposit'),
    ...shared,
  ],
  cryptobalance: [
    ['/cryptobalance', fiat],
    ['/no/such/place', fiat],
    [fiat, fiat],
    [`${fiat}/region`, `${fiat}/region`],
    ...stays(fiat, fiat, ['redirect/card', 'group/card_method']),
    ...inFlow(fiat, ['peer-to-peer/card', 'crypto/btc', 'bonus-details']),
    [`${fiat}/redirect/no_such_method`, fiat],
    [`${fiat}/complete`, fiat],
    ...inFlow('/cryptobalance/deposit', ['crypto', 'crypto/btc', 'video-instruction']).map(
      ([path]): Address => [path, /^\/cryptobalance\/deposit\//, /^\/cryptobalance\/deposit\//],
    ),
    // The chosen balance is in crypto by now, which this method pays out.
    ...withdrawal('/cryptobalance/withdrawal', fiat, 'usdt_trc20_withdrawal'),
    ...shared,
  ],
  sweep: [
    ['/', '/deposit'],
    ['/no/such/place', '/deposit'],
    ['/deposit', '/deposit'],
    // The guard redirects: no box is chosen.
    ['/deposit/select-method', '/deposit'],
    ['/deposit/crypto', '/deposit'],
    ['/deposit/crypto/btc', '/deposit'],
    ['/deposit/complete', '/deposit'],
    ['/withdrawal', '/withdrawal'],
    ...stays('/withdrawal', '/withdrawal', ['crypto']),
    ['/withdrawal/crypto/no_such_method', /^\/(?:withdrawal|deposit)/],
    ['/withdrawal/confirm', '/withdrawal'],
    ['/withdrawal/complete', '/withdrawal'],
    ...shared,
  ],
};
/** Pages that need a box, which is chosen on the list. */
const withBox: Address[] = [
  ['/deposit/select-method', '/deposit/select-method', '/deposit'],
  ['/deposit/crypto', '/deposit/crypto', /^\/deposit/],
  ['/deposit/redirect/card', '/deposit/redirect/card', /^\/deposit/],
];

let site: StaticSite;
let stack: Stack;

test.describe.configure({ timeout: 300_000 });
test.use({ viewport: { width: 420, height: 840 } });

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

for (const [widgetViewType, addresses] of Object.entries(products)) {
  test(`[NAV-1] [NAV-2] [NAV-3] [NAV-7] every address of ${widgetViewType} is opened, reloaded and left again`, async ({
    page,
  }) => {
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    const host = new HostPage(page, stack, site);
    await host.open('/deposit', { payload: { widgetViewType, transport: 'http' } });

    const landed = async (path: string, lands: string | RegExp): Promise<void> => {
      const place = typeof lands === 'string' ? new RegExp(`^${lands}$`) : lands;
      await expect.poll(() => host.path(), { message: `${path} lands`, intervals: [50] }).toMatch(place);
      const main = host.widget.locator('main');
      // The page is neither blank nor a skeleton for ever.
      await expect(main, `${path} has words`).toHaveText(/\S{2}/);
      await expect(main.getByText('Loading', { exact: true }), `${path} has loaded`).toHaveCount(0);
      await expect(host.widget.getByRole('heading', { level: 1 })).not.toBeEmpty();
    };

    const visit = async ([path, lands, back]: Address): Promise<void> => {
      await host.show(path);
      await landed(path, lands);
      await host.reload();
      await landed(`${path}, reloaded,`, lands);
      if (back === undefined) return;
      const button = host.widget.getByRole('banner').getByRole('button', { name: 'Back', exact: true });
      // An address that redirected to the list has no Back.
      if (typeof back !== 'string' && (await button.count()) === 0) return;
      await button.click();
      await landed(`Back from ${path}`, back);
    };
    for (const address of addresses) await visit(address);
    if (widgetViewType === 'sweep') {
      await host.show('/deposit');
      await host.widget.getByRole('button', { name: /10,000\sGC/ }).click();
      await landed('a box', '/deposit/select-method');
      for (const address of withBox) await visit(address);
    }
    expect(faults).toEqual([]);
  });
}

test('[LIST-3] [NAV-7] a chosen region asks for its methods, survives a reload, and Back leaves the selector', async ({
  page,
}) => {
  const host = new HostPage(page, stack, site);
  await host.open('/deposit', { currency: 'INR' });
  await expect(host.widget.getByRole('button', { name: 'UPI', exact: true })).toBeVisible();
  await host.widget.getByRole('button', { name: 'Region: India' }).click();
  await host.widget.getByRole('dialog').getByRole('option', { name: 'Germany' }).click();
  await expect(host.widget.getByRole('button', { name: 'Region: Germany' })).toBeVisible();
  await expect(host.widget.getByRole('button', { name: /^SEPA transfer/ })).toBeVisible();
  await expect(host.widget.getByRole('button', { name: 'UPI', exact: true })).toHaveCount(0);
  await host.reload();
  await expect(host.widget.getByRole('button', { name: 'Region: Germany' })).toBeVisible();
  await expect(host.widget.getByRole('button', { name: /^SEPA transfer/ })).toBeVisible();
});
