/**
 * Which state of the gallery shows each text: `locales/context/screens.json`. The pictures of these states go to
 * `test-results/text-screens`, from where they are given to a translation platform.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, test } from '@playwright/test';
import { collectMarks } from '../languages/find-overflow.ts';
import { marked } from '../languages/marked-texts.ts';
import { serveGallery } from '../visual/gallery-site.ts';

const root = join(import.meta.dirname, '../..');
const pictures = join(root, 'test-results/text-screens');

interface Gallery {
  readonly ids: readonly string[];
  readonly usual: Readonly<Record<string, unknown>>;
  show(settings: Readonly<Record<string, unknown>>): Promise<string[]>;
}

async function openGallery(page: Page, origin: string): Promise<readonly string[]> {
  await page.goto(`${origin}/?bare`);
  await page.waitForFunction(() => 'gallery' in window);
  return page.evaluate(() => (window as unknown as { gallery: Gallery }).gallery.ids);
}

const show = (page: Page, state: string) =>
  page.evaluate(async (id) => {
    const { gallery } = window as unknown as { gallery: Gallery };
    await gallery.show({ ...gallery.usual, state: id });
  }, state);

test('pictures of texts', async ({ browser }) => {
  test.setTimeout(900_000);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '-c', 'apps/widget/gallery/vite.config.ts', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  });
  const site = await serveGallery();
  const size = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;
  const page = await (await browser.newContext(size)).newPage();
  await page.route('**/static/locales/en.*.json', (route) => route.fulfill({ json: marked }));
  const ids = await openGallery(page, site.origin);
  const stateOf = new Map<string, string>();
  // Screens before components: a translator learns more from a whole page.
  const ordered = [...ids].sort((one, other) => Number(one.startsWith('ui/')) - Number(other.startsWith('ui/')));
  for (const id of ordered) {
    await show(page, id);
    for (const key of await page.evaluate(collectMarks)) if (!stateOf.has(key)) stateOf.set(key, id);
  }
  const keys = Object.keys(marked).filter((key) => stateOf.has(key));
  const found = Object.fromEntries(keys.map((key) => [key, stateOf.get(key)]));
  writeFileSync(join(root, 'locales/context/screens.json'), `${JSON.stringify(found, null, 2)}\n`);
  console.log(`${keys.length} of ${Object.keys(marked).length} texts are on a picture.`);

  mkdirSync(pictures, { recursive: true });
  const english = await (await browser.newContext(size)).newPage();
  await openGallery(english, site.origin);
  for (const id of new Set(Object.values(found))) {
    if (id === undefined) continue;
    await show(english, id);
    await english.screenshot({ path: join(pictures, `${id.replaceAll('/', '-')}.png`), fullPage: true });
  }
  await site.stop();
});
