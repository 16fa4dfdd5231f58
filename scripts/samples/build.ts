/** Writes samples as files, and builds them: programs for Node, and pages for a browser. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { codeIn, root } from '../../tools/documents/fences.ts';
import { samples } from '../../tools/documents/samples.mjs';

export interface Sample {
  readonly id: string;
  readonly in: string;
  /** Document and line. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** Without its ending. */
  readonly name: string;
}

/** Where the guide says that its files are, so that they find each other. */
const paths: Readonly<Record<string, string>> = {
  'guide-session': 'app/session',
  'guide-book': 'app/book',
  'guide-token': 'app/api/cashier-token/route',
  'guide-webhook': 'app/webhooks/cashier/route',
  'guide-balance': 'app/api/balance/route',
};

/** The samples with this sandbox instead of the addresses of the documents. */
export function samplesFor(cashierUrl: string, partner: string): Sample[] {
  const fences = codeIn('ts', 'tsx', 'js', 'html');
  return samples.map(({ id, document, has, in: program }, index) => {
    const fence = fences.find(({ path, text }) => path === document && text.includes(has));
    if (fence === undefined) throw new Error(`${document} has no sample with ${has}`);
    const text = fence.text
      .replaceAll('https://pay.example.com', cashierUrl)
      .replaceAll(/partner(: '|="|=)acme/g, `partner$1${partner}`);
    const { place, language } = fence;
    return { id, in: program, place, language, text, name: paths[id] ?? `${id}-${index}` };
  });
}

/** A sample may use names of earlier samples of its page. */
function pageModule({ id, text }: Sample, { cashierUrl, partner }: { cashierUrl: string; partner: string }): string {
  if (id === 'react' || id === 'guide-account')
    return `${text.replace(/^<Cashier/m, 'export const sample = <Cashier')}\n`;
  const isMade = /const cashier\b/.test(text) || !/\bcashier\./.test(text);
  if (isMade) return id === 'looks' ? `${text}\nglobalThis.made = cashier;\n` : text;
  const options = JSON.stringify({
    cashierUrl,
    partner,
    mode: 'modal',
    payload: { currency: 'EUR', paymentGeo: 'DE' },
  });
  return `import { createCashier } from '@opencashier/embed';
const cashier = createCashier({ ...${options}, getToken, onError: (detail) => problems.push(detail), onProblem: (detail) => problems.push(detail) });
globalThis.cashier = cashier;
cashier.open();
await cashier.ready;
${text}`;
}

/** React samples are drawn, others only imported. */
const starts: Readonly<Record<string, string>> = {
  react:
    "import { createRoot } from 'react-dom/client'; import { sample } from './NAME';\ncreateRoot(place).render(sample);",
  'guide-account':
    "import { createElement } from 'react'; import { createRoot } from 'react-dom/client'; import { Account } from './NAME';\ncreateRoot(place).render(createElement(Account, account));",
};

/**
 * @param folder inside the repository, so that the builds find the packages
 * @returns the folders of both builds
 */
export async function buildSamples(
  folder: string,
  all: readonly Sample[],
  at: { readonly cashierUrl: string; readonly partner: string },
): Promise<{ readonly programs: string; readonly pages: string }> {
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const programs: Record<string, string> = {};
  const pages: Record<string, string> = {};
  for (const sample of all) {
    const { id, name, language, text } = sample;
    // Samples export nothing; what they make is read by these names.
    const made = id === 'token' ? '\nexport { token };\n' : '\nexport {};\n';
    if (sample.in === 'server') programs[name] = write(`${name}.${language}`, text + made);
    if (sample.in !== 'page') continue;
    write(`${name}.${language}`, pageModule(sample, at));
    const start = starts[id] ?? "import './NAME';";
    pages[name] = write(`${name}-start.js`, start.replace('NAME', `${name}.${language}`));
  }
  write('next-server.js', 'export const connection = async () => undefined;\n');
  const common = { root: folder, configFile: false, logLevel: 'error' } as const;
  const out = { programs: join(folder, 'programs'), pages: join(folder, 'pages') };
  const output = { entryFileNames: '[name].js' };
  // Next.js is not installed here. Its function `connection` only waits for a request.
  const alias = { 'next/server': join(folder, 'next-server.js') };
  await build({
    ...common,
    resolve: { alias },
    build: { ssr: true, outDir: out.programs, rolldownOptions: { input: programs, output } },
  });
  await build({ ...common, build: { outDir: out.pages, target: 'es2022', rolldownOptions: { input: pages, output } } });
  return out;
}

export const embedFolder = join(root, 'packages/embed/dist');
