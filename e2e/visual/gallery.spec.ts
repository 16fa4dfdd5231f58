/**
 * Every state of the gallery opens without a finding of axe, and the states with stored pictures look as before. In pictures letters
 * are blocks of one width, so that they are the same on every machine, whatever its fonts. `npm run gallery -- --update` draws the
 * pictures again.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { madeUpTags } from '../../scripts/locales/made-up.mjs';
import { bothThemes, expectNoViolation, findViolations } from '../stack/accessible.ts';
import { drawnByIntl, drawnOrder } from './drawn-order.ts';
import { serveGallery } from './gallery-site.ts';

interface Settings {
  readonly state: string;
  readonly theme: 'light' | 'dark';
  readonly locale: string;
  readonly blocks: boolean;
}

interface Gallery {
  readonly ids: readonly string[];
  readonly photographed: readonly string[];
  readonly photographedInArabic: readonly string[];
  readonly photographedOnDesktop: readonly string[];
  readonly photographedAtLength: readonly string[];
  readonly usual: Settings;
  show(settings: Settings): Promise<string[]>;
  restyle(settings: Settings): Promise<string[]>;
}

// One process builds for both workers: two builds would write into the same folder.
test.describe.configure({ mode: 'default', timeout: 300_000 });

const spoken = ['en', 'ar', 'hi'] as const;

let site: Awaited<ReturnType<typeof serveGallery>>;

const phone = { width: 390, height: 844 };
const narrowPhone = { width: 320, height: 640 };

test.use({ viewport: phone, deviceScaleFactor: 1, reducedMotion: 'reduce' });
test.use({
  // Machines smooth letters differently.
  launchOptions: [
    ({ launchOptions }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), '--disable-lcd-text', '--font-render-hinting=none'],
      }),
    { scope: 'worker' },
  ],
});
test.beforeAll(async () => {
  const root = join(import.meta.dirname, '../..');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '-c', 'apps/widget/gallery/vite.config.ts', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  });
  site = await serveGallery();
});
test.afterAll(() => site.stop());

/** One page for all states: each state replaces the one before. */
async function openGallery(page: Page) {
  await page.goto(`${site.origin}/?bare`);
  await page.waitForFunction(() => 'gallery' in window);
  const gallery = await page.evaluate(() => {
    const { gallery: there } = window as unknown as { gallery: Gallery };
    const { ids, photographed, photographedInArabic, photographedOnDesktop, photographedAtLength } = there;
    return { ids, photographed, photographedInArabic, photographedOnDesktop, photographedAtLength };
  });
  const told = (call: 'show' | 'restyle', settings: Partial<Settings>) =>
    page.evaluate(
      async ({ how, more }) => {
        const { usual, ...stage } = (window as unknown as { gallery: Gallery }).gallery;
        const faults = await stage[how]({ ...usual, ...more });
        return { faults, text: document.body.textContent.trim(), overflow: document.documentElement.scrollWidth };
      },
      { how: call, more: settings },
    );
  return {
    ...gallery,
    page,
    show: (settings: Partial<Settings>) => told('show', { blocks: true, ...settings }),
    /** Shows the current state in another language. */
    restyle: (settings: Partial<Settings>) => told('restyle', settings),
  };
}

type OpenGallery = Awaited<ReturnType<typeof openGallery>>;

/** Proves that the check finds a text that is too pale, in every look. axe skips texts that it takes for icons. */
async function expectSeesContrast({ page, show, restyle }: OpenGallery): Promise<void> {
  await show({ state: 'screens/complete/failed' });
  const pale = await page.addStyleTag({ content: ':root { --text: #7a7a7a !important; --muted: #7a7a7a !important }' });
  for (const locale of spoken) {
    await restyle({ locale });
    for (const theme of bothThemes) {
      const found = (await findViolations(page.mainFrame(), [theme])).join(' ').match(/insufficient color/g) ?? [];
      expect(found.length, `pale texts in ${locale}, ${theme}`).toBeGreaterThan(7);
    }
  }
  await pale.evaluate((style) => (style as Element).remove());
}

test('[UI-1] [UI-3] [UI-4] every state has no violation in both themes, English, Arabic and Hindi, and room for the longest texts', async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000);
  // Two pages at a time, each with its own storage: this is the last file, and the other worker would have nothing to do.
  const other = await browser.newContext({ viewport: phone, deviceScaleFactor: 1, reducedMotion: 'reduce' });
  const galleries = await Promise.all([page, await other.newPage()].map(openGallery));
  await Promise.all(
    galleries.map(async (gallery, turn) => {
      if (turn === 0) await expectSeesContrast(gallery);
      for (const [index, state] of gallery.ids.entries()) {
        if (index % galleries.length === turn) await expectSound(gallery, state);
      }
    }),
  );
  await other.close();
});

/** Shows a state once, and then changes it in place: to every look, and to the longest texts on the narrowest phone. */
async function expectSound({ page, show, restyle }: OpenGallery, state: string): Promise<void> {
  const { faults, text, overflow } = await show({ state });
  expect.soft(faults, state).toEqual([]);
  expect.soft(text.length > 0 || state.startsWith('ui/'), `${state} is empty`).toBe(true);
  expect.soft(overflow, `${state} is wider than its window`).toBeLessThanOrEqual(phone.width);
  for (const locale of spoken) {
    // Restores the real letters, since contrast depends on them.
    expect.soft(await restyle({ locale }), `${state} in ${locale}`).toMatchObject({ faults: [] });
    await expectNoViolation(page.mainFrame(), `${state} in ${locale}`, bothThemes);
  }
  await page.setViewportSize(narrowPhone);
  const narrow = await restyle({ locale: madeUpTags.longest, blocks: true });
  expect.soft(narrow.faults, `${state} at length`).toEqual([]);
  expect.soft(narrow.overflow, `${state} is wider than its window at length`).toBeLessThanOrEqual(narrowPhone.width);
  await page.setViewportSize(phone);
}

test('[UI-3] [FORM-5] what is wrong is led to, and its words stand above the buttons at the foot', async ({ page }) => {
  const { show } = await openGallery(page);
  for (const [state, button, height] of [
    ['screens/confirm/code', 'main button[type=submit]', 568],
    ['screens/confirm/code', 'main button[type=submit]', 256],
    ['flows/unified-form/fields-missing', 'main [class*=primary]', 568],
    ['flows/unified-form/fields-missing', 'main [class*=primary]', 900],
  ] as const) {
    await page.setViewportSize({ width: 320, height });
    await show({ state, blocks: false });
    await page.locator(button).click();
    const field = page.locator('[aria-invalid]').first();
    await expect(field).toBeFocused();
    await expect.poll(() => field.evaluate(isSeenWithItsWords), `${state} at ${height} pixels`).toBe(true);
  }
});

test('[UI-3] [UI-4] what has the focus stands above the buttons at the foot, with letters of 200 % and the longest words', async ({
  page,
}) => {
  const { show } = await openGallery(page);
  await page.addStyleTag({ content: 'html { font-size: 200% }' });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const state of ['flows/unified-form/expired', 'flows/cash/ready', 'flows/unified-form/ready']) {
    await show({ state, locale: madeUpTags.longest });
    const places = page.locator('main').locator('button, a, input, [tabindex="0"]');
    expect(await places.count(), state).toBeGreaterThan(1);
    for (const place of await places.all()) {
      await page.evaluate(() => window.scrollTo(0, 0));
      await place.focus();
      await expect.poll(() => place.evaluate(isSeenToItsEnd), `${state}: ${await place.textContent()}`).toBe(true);
    }
  }
});

test('the states of which pictures are kept look as they did', async ({ page }) => {
  const { photographed, photographedInArabic, photographedOnDesktop, photographedAtLength, show } =
    await openGallery(page);
  const pictures: [string, Partial<Settings>][] = [
    ...photographed.flatMap((state): [string, Partial<Settings>][] => [
      ['light', { state }],
      ['dark', { state, theme: 'dark' }],
    ]),
    ...photographedInArabic.map((state): [string, Partial<Settings>] => ['arabic', { state, locale: 'ar' }]),
    ...photographedOnDesktop.flatMap((state): [string, Partial<Settings>][] => [
      ['desktop', { state }],
      ['desktop-arabic', { state, theme: 'dark', locale: 'ar' }],
    ]),
    ...photographedAtLength.flatMap((state): [string, Partial<Settings>][] => [
      ['pseudo', { state, locale: madeUpTags.pseudo }],
      ['longest', { state, locale: madeUpTags.longest }],
    ]),
  ];
  for (const [kind, settings] of pictures) {
    await page.setViewportSize(kind.startsWith('desktop') ? { width: 1280, height: 800 } : phone);
    await show(settings);
    expect
      .soft(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
      .toMatchSnapshot(
        [...(settings.state ?? '').split('/').slice(0, -1), `${settings.state?.split('/').at(-1)}.${kind}.png`],
        {
          // Detects a slightly different colour, and ignores smoothed edges.
          threshold: 0.03,
          maxDiffPixelRatio: 0.0005,
        },
      );
  }
});

test('[UI-2] [UI-4] [UI-5] a sheet comes from below on a phone and stands at the side on a desktop; a question stays in the middle', async ({
  page,
}) => {
  const { show } = await openGallery(page);
  const box = async (state: string, locale = 'en') => {
    const { faults } = await show({ state, locale });
    expect(faults, state).toEqual([]);
    const found = await page.locator('dialog').boundingBox();
    if (found === null) throw new Error(`${state} has no sheet.`);
    return found;
  };
  const list = 'screens/region/many';
  const question = 'flows/host-to-host/cancelling';

  const phoneList = await box(list);
  expect(phoneList).toMatchObject({ x: 0, width: 390 });
  expect(phoneList.y + phoneList.height).toBe(844);
  // The next control stays in its place while the list loads, and during a search.
  expect(await box('screens/region/loading')).toEqual(phoneList);
  expect(await box('screens/region/nothing-found')).toEqual(phoneList);
  expect(await box(question)).toMatchObject({ x: 0, width: 390 });

  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await box(list)).toEqual({ x: 840, y: 0, width: 440, height: 800 });
  expect(await box(list, 'ar')).toEqual({ x: 0, y: 0, width: 440, height: 800 });
  const desktopQuestion = await box(question);
  expect(desktopQuestion.x + desktopQuestion.width / 2).toBe(640);
  expect(Math.abs(desktopQuestion.y + desktopQuestion.height / 2 - 400)).toBeLessThan(1);
  expect(desktopQuestion.height).toBeLessThan(400);

  // A phone in landscape has its room beside the form, not below it.
  await page.setViewportSize({ width: 844, height: 390 });
  expect(await box(list)).toEqual({ x: 404, y: 0, width: 440, height: 390 });
});

/** Nothing covers the field or the last line of its description. */
function isSeenWithItsWords(field: Element): boolean {
  const words = document.getElementById(field.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '');
  if (!words?.textContent) return false;
  const [above, below] = [field.getBoundingClientRect(), words.getBoundingClientRect()];
  const isOnTop = (element: Element, x: number, y: number) => element.contains(document.elementFromPoint(x, y));
  return (
    isOnTop(field, above.left + above.width / 2, above.top + 4) && isOnTop(words, below.left + 4, below.bottom - 4)
  );
}

/** Nothing covers the last line of the element. */
function isSeenToItsEnd(element: Element): boolean {
  const { left, width, bottom } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, bottom - 4));
}

/** A regular expression for exactly this text. */
const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

for (const locale of ['ar', 'ur']) {
  test(`[UI-2] in ${locale} numbers are drawn from left to right, and amounts and dates as Intl alone would draw them`, async ({
    page,
  }) => {
    const { show } = await openGallery(page);
    const open = (state: string) => show({ state, locale, blocks: false });
    const isDrawn = async (within: string, text: string) =>
      expect.soft(await drawnOrder(page, { within, text: literally(text) }), text).toBe(text.replaceAll(' ', ''));

    // On its own, in a sentence, and in an element of its own direction.
    for (const [state, within, amount, decimals] of [
      ['screens/complete/failed', 'dd', 1500, 2],
      ['screens/complete/late', 'main p', 1500, 2],
      ['screens/method-list/ready', 'main li span', 300, 0],
      ['flows/peer-to-peer/ready', 'main bdi', 1503.2, 2],
    ] as const) {
      await open(state);
      const { drawn } = await drawnByIntl(page, { amount, currency: 'INR', decimals });
      const digits = new Intl.NumberFormat('en', { minimumFractionDigits: decimals }).format(amount);
      const text = `₹?${literally(digits)}(?:\\s₹)?`;
      expect.soft(await drawnOrder(page, { within, text }), `the amount of ${state}`).toBe(drawn);
    }
    await isDrawn('main dd', '4276 3800 1234 5678');

    await open('flows/pix/ready');
    const reais = await drawnOrder(page, { within: 'main bdi', text: '(?:R\\$)?25\\.00(?:\\s\\u200eR\\$)?' });
    expect.soft(reais, 'the sign of the real, which Intl takes to pieces').toBe('R$25.00');

    await open('flows/host-to-host/ready');
    await isDrawn('main dd', '+998 90 123 45 67');

    await open('flows/redirect/with-fields');
    await isDrawn('main span', '+91');
    const [prefix, number] = await Promise.all(
      [page.getByText('+91', { exact: true }), page.locator('input[type=tel]').last()].map((one) => one.boundingBox()),
    );
    expect(prefix?.x, 'the prefix is left of its number').toBeLessThan(number?.x ?? 0);
    await expect(page.locator('input[type=tel]').last()).toHaveCSS('direction', 'ltr');

    await open('flows/crypto-address/ready');
    await isDrawn('main bdi[dir=ltr]', 'TXk9qVnZ2sW7cQ4yRr1uB8mLpJ6dH3fAe5');

    await open('screens/balance-list/old-rate');
    const date = await drawnByIntl(page, { time: Date.UTC(2025, 11, 31, 10, 15) });
    expect
      .soft(await drawnOrder(page, { within: 'main *', text: literally(date.written) }), 'the date')
      .toBe(date.drawn);
    if (locale === 'ur') expect.soft(date.drawn, 'the hour before AM or PM').toMatch(/\d{1,2}:\d{2}\s?[AP]M/u);
  });
}

test('[UI-1] long words of tiles part at the syllables of the language that is shown', async ({ page }) => {
  const { show } = await openGallery(page);
  await show({ state: 'screens/method-list/ready', locale: 'de', blocks: false });
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const titles = page.locator('main li button [id$="-title"]');
  expect(await titles.count()).toBeGreaterThan(2);
  for (const title of await titles.all()) await expect(title).toHaveCSS('hyphens', 'auto');
});
