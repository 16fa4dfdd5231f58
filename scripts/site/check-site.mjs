/** Examines the built site: links between its pages, canonical links, `llms.txt`, and that no page loads anything from elsewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * @param {string} folder the built site
 * @param {string} base the first part of every link, with a slash at both ends
 * @param {string} origin where it is published, such as `https://docs.example.com`
 * @returns {string[]} what is wrong, one line each
 */
export function problemsOfSite(folder, base, origin) {
  const pages = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.html'))
    .map((name) => readPage(folder, name));
  const anchors = new Map(pages.map(({ name, ids }) => [name, ids]));
  return [
    ...pages.flatMap((page) => problemsOfPage(page, { folder, base, anchors })),
    ...pages.flatMap((page) => problemsOfCanonical(page, origin + base)),
    ...problemsOfIndex(folder, base),
  ];
}

function readPage(folder, name) {
  const text = readFileSync(join(folder, name), 'utf8');
  const values = (pattern) => [...text.matchAll(pattern)].map(([, value]) => value.replaceAll('&amp;', '&'));
  return {
    name,
    ids: new Set(values(/\sid="([^"]+)"/g)),
    canonical: values(/<link\s[^>]*?rel="canonical"[^>]*?href="([^"]*)"/g),
    links: new Set(values(/<a\s[^>]*?href="([^"]*)"/g)),
    loaded: new Set([
      ...values(/<(?:script|img|iframe|source|video)\s[^>]*?src="([^"]*)"/g),
      ...values(/<link\s(?![^>]*rel="(?:canonical|alternate|sitemap)")[^>]*?href="([^"]*)"/g),
    ]),
  };
}

function problemsOfPage({ name, links, loaded }, { folder, base, anchors }) {
  const problems = [];
  for (const address of loaded) {
    if (/^(?:https?:)?\/\//.test(address)) problems.push(`${name} loads ${address} from another site.`);
    else if (targetOf(address, name, base, folder) === undefined)
      problems.push(`${name} loads ${address}, which is not there.`);
  }
  for (const link of links) {
    if (/^[a-z][a-z\d+.-]*:/i.test(link)) continue;
    const [path = '', anchor = ''] = link.split('#');
    const target = path === '' ? name : targetOf(path, name, base, folder);
    if (target === undefined) problems.push(`${name} links to ${link}, which is not there.`);
    else if (anchor !== '' && anchors.get(target)?.has(decodeURIComponent(anchor)) !== true) {
      problems.push(`${name} links to ${link}, but that page has no such heading.`);
    }
  }
  return problems;
}

/** A search engine lists a page under its canonical address. A wrong one hides the page. */
function problemsOfCanonical({ name, canonical }, address) {
  // The page for addresses that do not exist has none of its own.
  if (name === '404.html') return [];
  const wanted = address + name.replace(/index\.html$/, '');
  return canonical.length === 1 && canonical[0] === wanted
    ? []
    : [`${name} must have the canonical link ${wanted}; it has ${canonical.join(', ') || 'none'}.`];
}

/** The file that an address of the site shows. */
function targetOf(address, from, base, folder) {
  const [path = ''] = address.split(/[?#]/);
  const wanted = path.startsWith('/') ? path : posix.join(base, posix.dirname(from), path);
  if (!wanted.startsWith(base)) return undefined;
  const inside = decodeURIComponent(wanted.slice(base.length));
  const file = inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside;
  return existsSync(join(folder, file)) ? file : undefined;
}

/** By llmstxt.org: a title, a quote, and lists of links. Each page has one line, and each line has its page. */
function problemsOfIndex(folder, base) {
  const text = readFileSync(join(folder, 'llms.txt'), 'utf8');
  const whole = readFileSync(join(folder, 'llms-full.txt'), 'utf8');
  const problems = /^# \S.*\n\n> \S.*\n\n/.test(text) ? [] : ['llms.txt does not begin with a title and a summary.'];
  const files = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\)(?:: \S.*)?$/gm)].map(([, link]) =>
    new URL(link).pathname.slice(base.length),
  );
  for (const file of files) {
    if (!existsSync(join(folder, file))) problems.push(`llms.txt names ${file}, which is not there.`);
    else if (file.endsWith('.md') && !whole.includes(readFileSync(join(folder, file), 'utf8').trim())) {
      problems.push(`llms-full.txt lacks ${file}.`);
    }
  }
  const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'));
  problems.push(...pages.filter((name) => !files.includes(name)).map((name) => `llms.txt lacks ${name}.`));
  if (new Set(files).size !== files.length) problems.push('llms.txt names a page twice.');
  return problems;
}
