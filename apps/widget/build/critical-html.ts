import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync, type Plugin, type Rolldown } from 'vite';

/** What the first screen needs beside the entry, in the order in which the browser should ask for it. */
const firstScreen = ['src/app/shell/app.tsx', 'src/api/query-client.ts', 'src/screens/method-list/method-list.tsx'];
const place = '<!--critical-->';

/** What most first taps open. The list does not wait for it. */
const firstForm = ['src/flows/redirect/redirect-screen.tsx'];

/** What the first call needs. The server takes these links away from a page that has its list already: its first call comes later. */
const firstCall = ['src/api/server-client.ts'];
const placeOfFirstCall = '<!--first-call-->';

/** What a host's own look needs. The server leaves these links in a page that waits for a look. */
const look = ['src/app/look/appearance.ts', 'src/app/look/look-parts.ts'];
const placeOfLook = '<!--look-->';

/**
 * Finishes index.html. Makes its own script small: the server draws as many pages of tiles as fit into the rest of the page's 14 kB.
 * Writes the style sheets of the first screen into it, and lets the browser request its scripts at once. One
 * after the other, they would delay the list by 290 ms at a latency of 150 ms. Removes the inlined sheets from the lists by which
 * scripts load style sheets, because the browser would fetch them a second time.
 */
export function criticalHtml(): Plugin {
  let base = '/';
  let outDir = '';
  return {
    name: 'critical-html',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      base = config.base;
      outDir = join(config.root, config.build.outDir);
    },
    writeBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const needed = reach(
          chunks,
          chunks.filter((chunk) => chunk.isEntry || holds(chunk, firstScreen)),
        );
        const page = join(outDir, 'index.html');
        let html = readFileSync(page, 'utf8');
        for (const mark of [place, placeOfFirstCall, placeOfLook]) {
          if (!html.includes(mark)) throw new Error(`index.html has lost ${mark}.`);
        }
        const beside = (sources: readonly string[]): Rolldown.OutputChunk[] =>
          reach(
            chunks,
            chunks.filter((chunk) => holds(chunk, sources)),
          ).filter((chunk) => !needed.includes(chunk));
        const linkTo = (chunk: Rolldown.OutputChunk, priority = ''): string =>
          `<link rel="modulepreload"${priority} crossorigin href="${base}${chunk.fileName}">`;
        const form = beside(firstForm);
        // A tap on a page without a network must find the form's styles, too.
        const sheets = sheetsOf([...needed, ...form]);
        const css = sheets.map((file) => readFileSync(join(outDir, file), 'utf8').trim()).join('\n');
        html = html
          .replace(/<script>([\s\S]*?)<\/script>/g, (_script, code: string) => `<script>${minified(code)}</script>`)
          .replace(/\n?\s*<link rel="modulepreload"[^>]*>/g, '')
          .replace(/\n?\s*<link rel="stylesheet"[^>]*>/g, '')
          .replace(place, () =>
            [
              ...needed.filter((chunk) => !chunk.isEntry).map((chunk) => linkTo(chunk)),
              ...form.map((chunk) => linkTo(chunk, ' fetchpriority="low"')),
              `<style>${css}</style>`,
            ].join('\n    '),
          )
          .replace(placeOfFirstCall, () =>
            ['<!--first-call-->', ...beside(firstCall).map((chunk) => linkTo(chunk)), '<!--/first-call-->'].join(
              '\n    ',
            ),
          )
          .replace(placeOfLook, () =>
            ['<!--look-->', ...beside(look).map((chunk) => linkTo(chunk)), '<!--/look-->'].join('\n    '),
          );
        writeFileSync(page, html);

        for (const chunk of chunks.filter(({ code }) => code.includes('__vite__mapDeps'))) {
          const file = join(outDir, chunk.fileName);
          writeFileSync(file, withoutSheets(readFileSync(file, 'utf8'), sheets, needed[0]?.fileName ?? ''));
        }
      },
    },
  };
}

function minified(code: string): string {
  const { code: small, errors } = minifySync('inline.js', code, { module: false });
  if (errors.length > 0) throw new Error(`The script of index.html cannot be made small: ${errors[0]?.message}`);
  return small.trim();
}

function sheetsOf(chunks: readonly Rolldown.OutputChunk[]): string[] {
  return [...new Set(chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))];
}

function holds(chunk: Rolldown.OutputChunk, sources: readonly string[]): boolean {
  return chunk.moduleIds.some((id) => sources.some((source) => id.endsWith(`/apps/widget/${source}`)));
}

/** The given chunks and what they import statically, entry first. */
function reach(chunks: readonly Rolldown.OutputChunk[], from: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  for (const chunk of [...from].sort((one, other) => Number(other.isEntry) - Number(one.isEntry))) visit(chunk);
  return [...found];
}

/** Names the entry, which is there already, in place of a sheet: the list keeps its numbering and nothing is fetched. */
function withoutSheets(code: string, sheets: readonly string[], present: string): string {
  return sheets.reduce((text, sheet) => text.replaceAll(JSON.stringify(sheet), JSON.stringify(present)), code);
}
