/**
 * The TypeScript of the documents is checked against the real types of the packages. Names that belong to the reader's own
 * program, such as `depositButton`, are declared here. JavaScript and parts of the cashier's own code (`docs/add-a-provider.md`)
 * are checked for their syntax. The React Native host needs a package that is not installed.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { codeIn, fences, root } from './fences.ts';

const documents = ['README.md', 'docs/integrate.md', 'packages/embed/README.md', 'packages/server/README.md'];

const readersOwn = `
declare const user: { readonly id: string };
declare const depositButton: HTMLButtonElement;
declare const button: HTMLButtonElement;
declare const secrets: readonly string[];
declare function bonusesOf(userId: string, currency?: string): Promise<import('@opencashier/server').OwnBonus[]>;
declare const wallet: import('@opencashier/server').WalletHandlers;
/** Express is not installed here. */
interface ExpressRequest {
  readonly body: Buffer;
  readonly headers: import('node:http').IncomingHttpHeaders;
  readonly session: { readonly userId: string };
}
interface ExpressResponse {
  type(name: string): ExpressResponse;
  status(code: number): ExpressResponse;
  set(headers: Readonly<Record<string, string>>): ExpressResponse;
  send(body: string): ExpressResponse;
  end(): ExpressResponse;
}
type ExpressHandler = (request: ExpressRequest, response: ExpressResponse) => unknown;
declare const app: { post(path: string, ...handlers: readonly ExpressHandler[]): void };
declare const express: { raw(options: { readonly type: string }): ExpressHandler };
declare const isOpen: boolean;
declare const rawBody: string;
declare const webhookSecret: string;
declare const operatorKey: string;
declare const request: { readonly headers: Record<'webhook-id' | 'webhook-signature' | 'webhook-timestamp', string> };
declare function refreshBalance(): void;
declare function getToken(): Promise<string>;
declare function setOpen(isOpen: boolean): void;
declare function showThanks(depositId: string): void;
declare function showWaiting(depositId: string | undefined): void;
declare function report(problem: import('@opencashier/embed').CashierProblem): void;
/** React Native is not installed here. */
declare function WebView(props: {
  ref: unknown;
  source: { uri: string };
  injectedJavaScriptBeforeContentLoaded: string;
  onMessage: (event: { nativeEvent: { url: string; data: string } }) => void;
}): null;
declare const view: unknown;
declare function receive(message: unknown): void;
declare function creditOnce(id: string, data: unknown): Promise<void>;
`;

interface Snippet {
  /** Document and line. */
  readonly place: string;
  readonly kind: 'ts' | 'tsx';
  readonly text: string;
}

function snippetsOf(path: string): Snippet[] {
  return codeIn('ts', 'tsx')
    .filter((fence) => fence.path === path)
    .map(({ place, language, text }) => ({ place, kind: language === 'tsx' ? 'tsx' : 'ts', text }));
}

/** Each snippet is a module of its own. Names of earlier snippets of the page are imported or declared for it. */
function moduleOf({ text }: Snippet): string {
  const isMade = (name: string) => new RegExp(`const ${name}\\b|import .*\\b${name}\\b`).test(text);
  const parts = ["import type {} from '@opencashier/embed';"];
  if (/\bcreateCashier\b/.test(text) && !isMade('createCashier')) {
    parts.push("import { createCashier } from '@opencashier/embed';");
  }
  if (/\bcashier\./.test(text) && !isMade('cashier')) {
    parts.push("declare const cashier: import('@opencashier/embed').Cashier;");
  }
  // The added declarations are one line, so that the compiler's line is the snippet's line plus one.
  return `${parts.join(' ')}\n${text}\nexport {};\n`;
}

/** @returns the compiler's errors; empty: none */
async function complaintsOf(snippets: readonly Snippet[]): Promise<string[]> {
  // Inside the repository, so that the compiler finds the packages.
  const parent = join(root, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'snippets-'));
  try {
    const names = snippets.map(({ kind }, index) => `snippet-${index}.${kind}`);
    snippets.forEach((snippet, index) => {
      writeFileSync(join(folder, names[index] ?? ''), moduleOf(snippet));
    });
    writeFileSync(join(folder, 'own.d.ts'), readersOwn);
    const options = { noEmit: true, noUnusedLocals: false, types: ['node', 'react'] };
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: options,
      include: ['*.ts', '*.tsx'],
      exclude: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const output = await compile(folder);
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) =>
        line.replace(/^.*snippet-(\d+)\.tsx?\((\d+),/, (_all, index: string, at: string) => {
          return `${snippets[Number(index)]?.place} line ${Number(at) - 1} (`;
        }),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compile(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder });
    return '';
  } catch (error) {
    // With findings the compiler exits with 1 or 2 and prints them.
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return String(error.stdout);
    throw error;
  }
}

test('[HOST-11] the TypeScript of the documents fits the types of the SDK', async () => {
  const snippets = documents.flatMap(snippetsOf);
  expect(snippets.length).toBeGreaterThan(5);
  expect(await complaintsOf(snippets)).toEqual([]);
});

test('JavaScript and parts of longer files have no error of syntax', () => {
  const found = codeIn('js', 'ts').filter(({ language, path }) => language === 'js' || !documents.includes(path));
  expect(found.length).toBeGreaterThan(4);
  const errorsOf = (text: string) => parseSync('x.ts', text).errors.map(({ message }) => message);
  expect(found.filter(({ text }) => errorsOf(text).length > 0).map(({ place }) => place)).toEqual([]);
  expect(errorsOf('const = 1')).toHaveLength(1);
});

test('[HOST-11] every sample that reads an answer of fetch checks its status first', () => {
  const samples = fences
    .filter(({ path }) => documents.includes(path))
    .map(({ text }) => text)
    .filter((code) => /\bfetch\(/.test(code));
  expect(samples.length).toBeGreaterThan(3);
  expect(samples.filter((code) => !/!\w+\.ok\b/.test(code))).toEqual([]);
});

test('a wrong option in a snippet is found', async () => {
  const [first] = snippetsOf('docs/integrate.md');
  if (first === undefined) throw new Error('docs/integrate.md has no snippet');
  const wrong = { ...first, text: first.text.replace("mode: 'modal'", "mode: 'window'") };
  expect(wrong.text).not.toBe(first.text);
  expect(await complaintsOf([wrong])).toEqual([expect.stringMatching(/^docs\/integrate\.md:\d+ line 12 .*'"window"'/)]);
});
