/**
 * The languages. English is written beside the screens that use it (`messages.en.json` of each folder of the widget) and
 * gathered into `locales/en.json`; every other language is a complete file of its own. A variant (`es-MX`, `es-ES`, `hi-IN`)
 * holds only the texts that differ from its language's (`es`, `hi`); the build puts the two together.
 *
 *   node scripts/locales.mjs           writes locales/en.json and checks the rest
 *   node scripts/locales.mjs --check   writes nothing; fails when locales/en.json is stale
 *
 * Both fail when a language lacks a text or a plural form, has one that English has not, or lost a placeholder.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseOf } from './locales/dictionaries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const locales = join(root, 'locales');
const source = join(root, 'apps/widget/src');
const pluralForm = /\.(?:zero|one|two|few|many|other)$/;

const problems = [];
const english = gatherEnglish();
const stored = join(locales, 'en.json');
const text = `${JSON.stringify(english, null, 2)}\n`;
const stale = !existsSync(stored) || readFileSync(stored, 'utf8') !== text;

if (process.argv.includes('--check')) {
  if (stale) problems.push('locales/en.json is stale: run node scripts/locales.mjs.');
} else if (stale) {
  mkdirSync(locales, { recursive: true });
  writeFileSync(stored, text);
}

for (const name of readdirSync(locales).filter((file) => file.endsWith('.json') && file !== 'en.json')) {
  problems.push(...compare(name.slice(0, -'.json'.length), read(join(locales, name))));
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

/** Every folder's English, sorted by key. The same key may not mean two things. */
function gatherEnglish() {
  const all = new Map();
  for (const file of messageFiles(source)) {
    for (const [key, message] of Object.entries(read(file))) {
      const known = all.get(key);
      if (known !== undefined && known.message !== message) {
        problems.push(`"${key}" is written differently in ${known.file} and ${relative(root, file)}.`);
      }
      all.set(key, { message, file: relative(root, file) });
    }
  }
  const keys = [...all.keys()].sort();
  return Object.fromEntries(keys.map((key) => [key, all.get(key).message]));
}

function messageFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return messageFiles(path);
      return entry.name === 'messages.en.json' ? [path] : [];
    })
    .sort();
}

function read(file) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  for (const [key, value] of Object.entries(content)) {
    if (typeof value !== 'string' || value === '') problems.push(`${relative(root, file)}: "${key}" is not a text.`);
  }
  return content;
}

/** What a language gets wrong, measured against English and against the plural forms that its language has. */
function compare(locale, texts) {
  const found = [];
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  const wanted = new Set();
  for (const key of Object.keys(english)) {
    if (!isPlural(key)) wanted.add(key);
    else for (const form of forms) wanted.add(key.replace(pluralForm, `.${form}`));
  }
  const base = baseOf(locale);
  if (base === undefined) {
    for (const key of wanted) if (!Object.hasOwn(texts, key)) found.push(`locales/${locale}.json lacks "${key}".`);
  } else {
    const shared = read(join(locales, `${base}.json`));
    for (const [key, value] of Object.entries(texts))
      if (shared[key] === value) found.push(`locales/${locale}.json: "${key}" is what ${base}.json has already.`);
  }
  for (const [key, value] of Object.entries(texts)) {
    if (!wanted.has(key)) {
      found.push(`locales/${locale}.json has "${key}", which no screen uses.`);
      continue;
    }
    const original = english[key] ?? english[key.replace(pluralForm, '.other')];
    const lost = placeholders(original).filter((name) => !placeholders(value).includes(name));
    const invented = placeholders(value).filter((name) => !placeholders(original).includes(name));
    // "One coin" may leave the number out, "two coins" as well in languages that have a form for it.
    const tells = /\.(?:zero|one|two)$/.test(key) ? lost.filter((name) => name !== '{count}') : lost;
    for (const name of tells) found.push(`locales/${locale}.json: "${key}" lost ${name}.`);
    for (const name of invented) found.push(`locales/${locale}.json: "${key}" has ${name}, which nothing fills in.`);
  }
  return found;
}

/** A family of plural forms has what English needs, `.one` and `.other`; a lone `list.other` is an ordinary text. */
function isPlural(key) {
  return ['.one', '.other'].every(
    (form) => pluralForm.test(key) && Object.hasOwn(english, key.replace(pluralForm, form)),
  );
}

function placeholders(message) {
  return [...new Set(message.match(/\{\w+\}/g) ?? [])];
}
