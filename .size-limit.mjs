/**
 * The budgets of the architecture, over what a browser really fetches (brotli).
 *
 * The files of a budget come from Vite's manifest (`apps/widget/dist/.vite/manifest.json`), so a renamed chunk cannot escape
 * its budget. A budget that finds nothing to weigh is an error, never a pass.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'apps/widget/dist');
const source = join(root, 'apps/widget/src');
const manifest = readManifest();

/**
 * Loaded after the first tap can be answered: other flows and screens, languages, and all lazy parts. Any other chunk that the entry
 * can reach counts as needed for the first tap, so a new one is noticed.
 */
const later = [
  /^src\/flows\//,
  /^src\/screens\/(?!method-list\/)/,
  // A host names one product; what most of them show comes with the entry.
  /^src\/products\//,
  /^src\/app\/(?:boot\/debug-hooks\.ts|(?:shell\/(?:notification-region|drawn-ahead)|navigation\/list-ahead)\.tsx?)$/,
  /^src\/kit\/(?:balance|bonus|captcha|fun-facts|unfinished)\//,
  /^src\/kit\/method\/(?:guide|tile-choices)\.tsx$/,
  /^src\/kit\/reopen-deposit\.tsx$/,
  /^src\/app\/(?:telemetry\/(?:rum|page-telemetry|telemetry)|look\/appearance|look\/look-parts|shell\/fit-height)\.ts$/,
  /locales\//,
  /messages\.[^/]+\.json$/,
  /node_modules\/(?:dompurify|@maskito|web-vitals|uqr)\//,
];
/** Chunks of `build/chunks.ts` that are loaded later: the client, a method's own fields, the engine of a press, bonuses, what an idle list does. */
const laterChunks = new Set(['client', 'form', 'fields', 'payment', 'bonus', 'ahead']);
const isLater = (key) => laterChunks.has(manifest[key].name) || later.some((pattern) => pattern.test(key));

const entries = keysWhere((chunk) => chunk.isEntry === true);
// Shared parts of pages are loaded once, with the first page that needs them. They have their own budgets.
const kit = [
  ['form that most cards open', 'form', '11.5 kB'],
  ["a method's own fields", 'fields', '10.8 kB'],
  ['status of a payment, intent and key of a deposit', 'known', '2.2 kB'],
  ['deposit engine and payment window', 'payment', '9.5 kB'],
  ['time left and status', 'live', '2.2 kB'],
  ['payments by hand', 'by-hand', '5.5 kB'],
  ['bonuses', 'bonus', '3.6 kB'],
  ['what an idle list does for its next tap', 'ahead', '1.5 kB'],
  ['withdrawal form, saved accounts, paid cards and engine', 'withdrawal', '11.5 kB'],
  ['picker', 'picker', '2 kB'],
  ['a page that says one thing', 'state', '1.5 kB'],
  ['fee, worth and choices of a form', 'beside', '2.5 kB'],
  ['client: calls, transports, Socket.IO', 'client', '17.3 kB'],
].map(([title, name, limit]) => ({
  title,
  limit,
  keys: keysWhere((chunk) => chunk.name === name && chunk.src === undefined),
}));
const ofKit = new Set(kit.flatMap(({ keys }) => keys));
// The list, and the form that most cards open. The form is in the list's file; as a file of its own it would count as well.
const first = reach([...entries, ...keysIn('src/flows/redirect/')], (key) => !isLater(key));
// The redirect's form is part of the first budget.
const flows = folders(join(source, 'flows')).filter((name) => name !== 'redirect');
const screens = new Set(keysIn('src/screens/').map((key) => key.split('/')[2]));
// A page with a form may weigh what a flow weighs; the list is part of the first load.
const pagesWithForm = new Set(['form', 'confirm', 'withdrawal']);
// What a page or flow may weigh that the usual limit does not hold: docs/adr/0012-weights-of-pages.md.
const ownLimits = new Map([
  ['crypto-address', '7.2 kB'],
  ['peer-to-peer', '6.7 kB'],
  ['complete', '3 kB'],
]);
const pages = [...screens].filter((name) => name !== 'method-list');

export default [
  budget('script until the first tap can be answered', '100 kB', filesOf(first)),
  budget('HTML with critical CSS', '14 kB', only(join(dist, 'index.html'))),
  ...localeFiles().map((file) => budget(`locale ${file.split('/').pop()}`, '12 kB', [file])),
  ...kit.map(({ title, limit, keys }) => budget(`kit: ${title}`, limit, filesOf(keys))),
  budget('picker sheet', '0.3 kB', ownFiles('src/ui/')),
  ...flows.map((name) => budget(`flow ${name}`, ownLimits.get(name) ?? '6 kB', ownFiles(`src/flows/${name}/`))),
  ...pages.map((name) =>
    budget(
      `page ${name}`,
      ownLimits.get(name) ?? (pagesWithForm.has(name) ? '6 kB' : '2.5 kB'),
      ownFiles(`src/screens/${name}/`),
    ),
  ),
  budget('product sweepstake', '6.2 kB', ownFiles('src/products/sweepstake/')),
  budget('captcha sheet', '4 kB', ownFiles('src/kit/captcha/')),
  budget('bonus banners on the list', '2.5 kB', ownFiles('src/kit/bonus/')),
  // Fetched at a press of "Scan", the reader only where the platform has none: docs/adr/0013-reader-of-codes.md.
  budget('camera sheet', '1.5 kB', ownFiles('src/kit/scan/scan-sheet')),
  budget('reader of codes', '14 kB', ownFiles('src/kit/scan/read-code')),
  budget('balance and its currencies on the list', '2.5 kB', ownFiles('src/kit/balance/')),
  budget('unfinished deposit on the list', '2.5 kB', ownFiles('src/kit/unfinished/')),
  // What is small must not wait for what is large: these are weighed with all that they import. The form is there
  // before what stands in it.
  budget('choices of a tile, and what they wait for', '5.2 kB', waitedFor('src/kit/method/tile-choices', 'form')),
  budget('fee of a deposit, and what it waits for', '5.2 kB', waitedFor('src/kit/deposit/deposit-fee', 'form')),
  budget('worth of a coin, and what it waits for', '5.2 kB', waitedFor('src/kit/amount/coin-worth', 'form')),
  budget('guide, and what it waits for', '2 kB', waitedFor('src/kit/method/guide', 'form')),
  budget('error page, and what it waits for', '5 kB', waitedFor('src/screens/error/')),
  budget('empty list, and what it waits for', '3 kB', waitedFor('src/screens/empty/')),
  budget('choice of a region, and what it waits for', '5 kB', waitedFor('src/screens/region/')),
  budget('list of withdrawals, and what it waits for', '3 kB', waitedFor('src/products/withdrawal-tree')),
  budget('looks from the host', '3 kB', ownFiles('src/app/look/appearance.ts')),
  budget('parts of a look from the host', '3 kB', ownFiles('src/app/look/look-parts.ts')),
  // docs/adr/0012-weights-of-pages.md
  budget('embed loader', '4 kB', only(join(root, 'packages/embed/dist/cashier.js'))),
  budget('embed loader as a script', '4 kB', only(join(root, 'packages/embed/dist/cashier.global.js'))),
];

function budget(name, limit, files) {
  if (files.length === 0) throw new Error(`Nothing was built for the budget "${name}".`);
  return { name, limit, path: files.map((file) => relative(root, file)), brotli: true };
}

function readManifest() {
  const file = join(dist, '.vite/manifest.json');
  if (!existsSync(file))
    throw new Error(`${relative(root, file)} is missing: build first (build.manifest is true in its vite.config.ts).`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function keysWhere(test) {
  return Object.keys(manifest).filter((key) => test(manifest[key]));
}

/** Chunks that begin in a folder, by the path of their source. */
function keysIn(folder) {
  return keysWhere((chunk) => chunk.src?.startsWith(folder) === true && chunk.file.endsWith('.js'));
}

/** Every chunk that the given chunks load: static imports, and dynamic imports that `follow` allows. */
function reach(keys, follow) {
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const { imports = [], dynamicImports = [] } = manifest[key];
    for (const next of imports) visit(next);
    for (const next of dynamicImports) if (follow(next)) visit(next);
  };
  for (const key of keys) visit(key);
  return seen;
}

function filesOf(keys) {
  return [...new Set([...keys].map((key) => manifest[key].file))]
    .filter((file) => file.endsWith('.js'))
    .map((file) => join(dist, file));
}

/** A folder's own files: the chunks that begin in it, and those that nothing else imports. What flows share is not theirs. */
function ownFiles(folder) {
  const own = new Set(keysIn(folder));
  for (const key of own) {
    for (const next of manifest[key].imports ?? []) {
      const importers = keysWhere(({ imports = [], dynamicImports = [] }) =>
        [...imports, ...dynamicImports].includes(next),
      );
      // A set yields what is added while it is read, so the imports of `next` get their turn.
      if (importers.every((importer) => own.has(importer))) own.add(next);
    }
  }
  return filesOf([...own].filter((key) => !first.has(key) && !ofKit.has(key)));
}

/** The chunks that begin in a folder, and all that they import beside the first load, the client and what is named as there. */
function waitedFor(folder, ...there) {
  const all = [...reach(keysIn(folder), () => false)];
  return filesOf(all.filter((key) => !first.has(key) && !['client', ...there].includes(manifest[key].name)));
}

function localeFiles() {
  const files = listed(join(dist, 'static/locales')).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error('No locale was built: expected apps/widget/dist/static/locales/*.json.');
  return files;
}

function only(file) {
  return existsSync(file) ? [file] : [];
}

function listed(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function folders(path) {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => ['flow.ts', 'withdrawal-flow.ts'].some((file) => existsSync(join(path, name, file))))
    .map(({ name }) => name);
}
