/**
 * `npm run locales`: translations between this project and translators.
 *
 * - `npm run locales export de [file]` writes an XLIFF file for a translation platform, with descriptions, examples and states.
 * - `npm run locales import file` reads it back. Texts that fail the checks are refused, each with its reason.
 * - `npm run locales screens` finds the picture of each text in the gallery, and draws the pictures in `test-results/text-screens`.
 * - `npm run locales mark de read [key …]` sets the state of texts: draft, read or native; without keys, of all that are not stale.
 * - `npm run locales accept de key …` says that translations are still right for a changed English text.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportLanguage, importFile, markTexts } from './locales/exchange.mjs';
import { ensureChromium } from './machine/chromium.mjs';
import { run } from './machine/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [command, first = '', ...rest] = process.argv.slice(2);

const commands = {
  export: () => exportLanguage(root, first, rest[0] ?? `${first}.xlf`),
  import() {
    const { done, refused } = importFile(root, first);
    for (const line of refused) console.error(line);
    if (refused.length > 0) process.exitCode = 1;
    return `${done} Now run node scripts/locales.mjs.`;
  },
  async screens() {
    const env = { CHROMIUM_PATH: await ensureChromium() };
    const config = 'e2e/translators/playwright.config.ts';
    const { ok } = await run('playwright', ['test', '-c', config], { show: true, env });
    if (!ok) throw new Error('The pictures were not drawn.');
    return 'locales/context/screens.json is written.';
  },
  mark: () => `${markTexts(root, first, rest.slice(1), rest[0] ?? '')} Now run node scripts/locales.mjs.`,
  accept() {
    if (rest.length === 0) throw new Error('Name the keys whose translations are still right.');
    return `${markTexts(root, first, rest, undefined)} Now run node scripts/locales.mjs.`;
  },
};

try {
  const act = commands[command];
  const isWhole = act !== undefined && (first !== '' || command === 'screens');
  if (!isWhole) throw new Error('Say export, import, mark or accept with a language or a file, or say screens.');
  console.log(await act());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
