/** Finds a Chromium for the browser tests, or installs one. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';
import { installSystemPackages } from './system-packages.mjs';

/** It has no window to draw, so the browser tests take a third less time. It has no camera either. */
const shell = 'chromium-headless-shell';
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
// Without these fonts Arabic, Chinese and Indian text appears as boxes, and a picture of a page proves nothing.
const fonts = ['fonts-noto-core', 'fonts-noto-cjk', 'fonts-liberation'];

/** @returns {string | undefined} the path of a browser: CHROMIUM_PATH, the system's, or one that Playwright installed */
export function findChromium() {
  const named = process.env['CHROMIUM_PATH'];
  return named !== undefined && named !== '' ? named : installed([shell, ...browsers]);
}

/** @returns {string | undefined} the same, but never the headless shell, for a test that needs a camera */
export function findWholeChromium() {
  const found = findChromium();
  return found?.endsWith(shell) ? installed(browsers) : found;
}

function installed(commands) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = [
    ...commands.flatMap((command) => folders.map((folder) => join(folder, command))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  return [...places, ...playwrightBrowsers()].find(isProgram);
}

/**
 * @returns {Promise<string>} the path of a browser that starts
 * @throws with advice when there is none and none can be installed
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== undefined && findWholeChromium() !== undefined && (await starts(found))) return found;
  const reason = (await installWithFonts()) ?? 'the installed browser does not start';
  const fromSystem = findChromium();
  if (fromSystem !== undefined && (await starts(fromSystem))) return fromSystem;
  // Ubuntu's package only installs from snap, which containers lack. Playwright has its own build.
  const { ok, output } = await run('playwright', ['install', '--with-deps', 'chromium']);
  const own = playwrightBrowsers().find(isProgram);
  if (ok && own !== undefined) return own;
  throw new Error(
    `No Chromium was found (${reason}; ${output.trim()}). Install one, or name it: CHROMIUM_PATH=/path/to/chromium npm test`,
  );
}

async function installWithFonts() {
  // Older systems have no shell.
  const withoutShell = await installSystemPackages(['chromium', shell]);
  const reason = withoutShell && (await installSystemPackages(['chromium']));
  if (reason !== undefined) return reason;
  const withoutFonts = await installSystemPackages(fonts);
  if (withoutFonts !== undefined) console.warn(`Some languages will be drawn as boxes: ${withoutFonts}`);
  return undefined;
}

async function starts(path) {
  const { ok } = await run(path, ['--version', '--no-sandbox']);
  return ok;
}

function playwrightBrowsers() {
  const folder = process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(homedir(), '.cache/ms-playwright');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith('chromium-'))
    .flatMap((name) => [join(folder, name, 'chrome-linux/chrome'), join(folder, name, 'chrome-linux64/chrome')]);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
