/** Executes the samples of the documents beside a cashier in its sandbox: `npm run examples`. Ends with 1 and their names if some fail. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../tools/documents/fences.ts';
import { besideSandbox } from '../examples/against-sandbox.mjs';
import { freePort } from '../machine/ports.mjs';
import { buildSamples, embedFolder, type Sample, samplesFor } from './build.ts';
import { smallExpress } from './express.ts';
import { playPages } from './pages.ts';
import { playServer } from './server.ts';

const partner = 'demo';
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** Answers the page of a sample, its files and the balance that pages ask for. */
async function siteAnswer(path: string, all: readonly Sample[], pages: string, balance: () => Promise<Response>) {
  if (path === '/api/balance') return balance();
  const sample = all.find(({ name }) => path === `/${name}.html`);
  if (sample !== undefined) {
    const text = sample.in === 'markup' ? sample.text : `<script type="module" src="/${sample.name}.js"></script>`;
    const page = `<!doctype html><title>Sample</title><button id="deposit">Deposit</button><div id="place"></div>${text}`;
    return new Response(page, { headers: { 'content-type': 'text/html' } });
  }
  const name = path.replace(/^\/(?:opencashier\/)?/, '');
  const file = [join(pages, name), join(embedFolder, name)].find((one) => name !== '' && existsSync(one));
  if (file === undefined) return new Response('', { status: 404 });
  return new Response(readFileSync(file), { headers: { 'content-type': types[extname(file)] ?? 'text/plain' } });
}

/** @returns what is wrong, one line each */
async function runSamples(): Promise<string[]> {
  const port = await freePort();
  const pageUrl = `http://localhost:${port}`;
  const parent = join(root, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'samples-'));
  const problems: string[] = [];
  try {
    const webhookUrl = `${pageUrl}/webhooks/cashier`;
    await besideSandbox({ pageUrl, webhookUrl }, async ({ cashierUrl, operatorKey, webhookSecret }) => {
      const all = samplesFor(cashierUrl, partner);
      const built = await buildSamples(folder, all, { cashierUrl, partner });
      const load = (sample: Sample) => import(pathToFileURL(join(built.programs, `${sample.name}.js`)).href);
      const guideBalance = all.find(({ id }) => id === 'guide-balance');
      const balance = async () =>
        guideBalance === undefined ? new Response('', { status: 404 }) : (await load(guideBalance)).GET();
      const site = smallExpress('u-1042', (path) => siteAnswer(path, all, built.pages, balance));
      process.env['BOOK_FILE'] = join(folder, `book-${randomBytes(4).toString('hex')}.jsonl`);
      site.server.listen(port);
      await once(site.server, 'listening');
      try {
        const given = {
          cashierUrl,
          operatorKey,
          webhookSecret,
          pageUrl,
          bookFile: join(folder, 'wallet.jsonl'),
          site,
          load,
        };
        problems.push(...(await playServer(all, given)), ...(await playPages(all, given)));
        if (problems.length > 0) for (const failure of site.failures) console.error(failure);
      } finally {
        site.server.closeAllConnections();
        site.server.close();
      }
      return '';
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return problems;
}

const problems = await runSamples();
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
