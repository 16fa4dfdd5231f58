/**
 * Every state of the gallery opens, and those of which pictures are kept look as they did. Letters are drawn as blocks of one
 * width, so that a picture is the same on every machine, whatever its fonts: `npm run gallery -- --update` renews them.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
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
  readonly usual: Settings;
  show(settings: Settings): Promise<string[]>;
}

// One build for both, in one process: two would write into the same folder.
test.describe.configure({ mode: 'default' });

let site: Awaited<ReturnType<typeof serveGallery>>;

test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, reducedMotion: 'reduce' });
test.use({
  // How a machine smooths its letters is its own affair.
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

/** One page for all states: each is put in the place of the last one. */
async function openGallery(page: Page) {
  await page.goto(`${site.origin}/?bare`);
  await page.waitForFunction(() => 'gallery' in window);
  const gallery = await page.evaluate(() => {
    const { ids, photographed, photographedInArabic } = (window as unknown as { gallery: Gallery }).gallery;
    return { ids, photographed, photographedInArabic };
  });
  const show = (settings: Partial<Settings>) =>
    page.evaluate(async (more) => {
      const { usual, ...stage } = (window as unknown as { gallery: Gallery }).gallery;
      const faults = await stage.show({ ...usual, blocks: true, ...more });
      return { faults, text: document.body.textContent.trim(), overflow: document.documentElement.scrollWidth };
    }, settings);
  return { ...gallery, show };
}

test('every state opens: it shows something, no text is missing, nothing is thrown', async ({ page }) => {
  const { ids, show } = await openGallery(page);
  for (const state of ids) {
    const { faults, text, overflow } = await show({ state });
    expect.soft(faults, state).toEqual([]);
    expect.soft(text.length > 0 || state.startsWith('ui/'), `${state} is empty`).toBe(true);
    expect.soft(overflow, `${state} is wider than its window`).toBeLessThanOrEqual(390);
  }
});

test('the states of which pictures are kept look as they did', async ({ page }) => {
  const { photographed, photographedInArabic, show } = await openGallery(page);
  const pictures: [string, Partial<Settings>][] = [
    ...photographed.flatMap((state): [string, Partial<Settings>][] => [
      ['light', { state }],
      ['dark', { state, theme: 'dark' }],
    ]),
    ...photographedInArabic.map((state): [string, Partial<Settings>] => ['arabic', { state, locale: 'ar' }]),
  ];
  for (const [kind, settings] of pictures) {
    await show(settings);
    expect
      .soft(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
      .toMatchSnapshot(
        [...(settings.state ?? '').split('/').slice(0, -1), `${settings.state?.split('/').at(-1)}.${kind}.png`],
        {
          // Fine enough for a tone of green; what a browser smooths at an edge is not counted.
          threshold: 0.03,
          maxDiffPixelRatio: 0.0005,
        },
      );
  }
});
