import type { FrameLocator, Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';

interface Place {
  country: string;
  currency: string;
}

const india: Place = { country: 'IN', currency: 'INR' };
const brazil: Place = { country: 'BR', currency: 'BRL' };
const germany: Place = { country: 'DE', currency: 'EUR' };
const nigeria: Place = { country: 'NG', currency: 'NGN' };

/** Tiles of each kind of page, in the order of the taps. A second tile is on the page of the first. */
const lists: { list: string; place: Place; tiles: string[][] }[] = [
  {
    list: '/deposit',
    place: india,
    tiles: [
      ['Bank card'],
      ['UPI'],
      ['Transfer to a bank account'],
      ['Transfer from your bank'],
      ['Cash agent'],
      ['Buy crypto with a card'],
      ['Crypto', 'Tether'],
    ],
  },
  { list: '/deposit', place: brazil, tiles: [['Pix'], ['Pix from your key'], ['Bank card']] },
  { list: '/deposit', place: germany, tiles: [['Direct debit'], ['SEPA transfer']] },
  { list: '/withdrawal', place: india, tiles: [['Bank card'], ['UPI'], ['Crypto', 'Tether TRC-20']] },
  { list: '/withdrawal', place: nigeria, tiles: [['Nigerian banks'], ['Bank card']] },
];

/** From now on the network has no more scripts and styles. */
const withoutFiles = (page: Page): Promise<unknown> =>
  page.route(/\/assets\/.*\.(?:js|css)$/, (route) => route.abort());

/** A busy machine calls a page idle seconds later, when the network was quiet long before. */
const idleAtOnce = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.requestIdleCallback = (run) => window.setTimeout(() => run({ didTimeout: false, timeRemaining: () => 50 }));
    window.cancelIdleCallback = (handle) => window.clearTimeout(handle);
  });

/**
 * Waits until the screens of the list are loaded: their loader has come, and the page had twenty quiet turns of its own since the
 * last file. A quiet network alone is no sign: on a busy machine it is quiet before the loader begins.
 */
const untilLoaded = (widget: FrameLocator): Promise<void> =>
  widget.locator('body').evaluate(async () => {
    const files = () => performance.getEntriesByType('resource').map(({ name }) => name);
    let known = -1;
    for (let quiet = 0; quiet < 20; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const now = files();
      const hasLoader = now.some((name) => /\/assets\/ahead-[^/]*\.js$/.test(name));
      quiet = hasLoader && now.length === known ? quiet + 1 : 0;
      known = now.length;
    }
  });

for (const { list, place, tiles } of lists) {
  test(`[UI-5] [LIST-4] ${list} in ${place.country}: an idle list has the page of every tile`, async ({
    page,
    stack,
    site,
  }) => {
    await idleAtOnce(page);
    const host = new HostPage(page, stack, site);
    await host.open(list, place);
    const { widget } = host;
    const tile = (name: string) => widget.getByRole('button', { name, exact: true });
    await expect(tile(tiles[0]?.[0] ?? '')).toBeVisible();
    await untilLoaded(widget);
    await withoutFiles(page);
    for (const way of tiles) {
      for (const name of way) {
        await tile(name).click();
        await expect(widget.getByRole('heading', { level: 2, name })).toBeVisible();
      }
      for (const _ of way) await widget.getByRole('button', { name: 'Back' }).click();
      await expect(tile(way[0] ?? '')).toBeVisible();
    }
  });
}
