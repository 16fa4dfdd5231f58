/**
 * `script-inventory.json`: every script that a page of the widget may load, with its hash and why it is there, as PCI DSS 6.4.3
 * wants it. e2e/privacy/script-inventory.spec.ts holds it against what a browser really loads.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export interface InventoryEntry {
  /** Below the product's address, such as `assets/boot-1a2b3c.js`. */
  readonly file: string;
  /** In the form of an `integrity` attribute: `sha384-` and base64. */
  readonly integrity: string;
  readonly purpose: string;
}

interface Chunk {
  readonly name: string;
  readonly isEntry: boolean;
  /** The module that the file was made for; none for what several files share. */
  readonly facadeModuleId: string | null;
}

const byName: Readonly<Record<string, string>> = {
  'rolldown-runtime': 'what the bundler needs to join the files',
  react: 'library that draws the screens (React)',
  client: 'calls to the server: connection, repeats, checks of answers (Socket.IO)',
  shell: 'frame of every screen: routing, session, list of methods, form of a deposit',
  fields: 'input fields of payment forms',
  payment: 'creates a deposit, follows its status, opens the payment window',
  'by-hand': 'screens of payments that a person makes by hand',
};

const kindOfFolder: Readonly<Record<string, string>> = {
  flows: 'way to pay',
  screens: 'screen',
  products: 'product',
};

/** Why a file of the build is on a page of the widget. */
export function purposeOf({ name, isEntry, facadeModuleId }: Chunk): string {
  if (isEntry) return 'start: reads the address, speaks with the host page, loads the first screen';
  const known = byName[name];
  if (known !== undefined) return known;
  const [, path] = /apps\/widget\/src\/([^?]+)/.exec(facadeModuleId ?? '') ?? [];
  const [parent = '', folder = ''] = path?.split('/') ?? [];
  const kind = kindOfFolder[parent];
  if (kind !== undefined) return `${kind}: ${folder.replace(/\.tsx?$/, '')}`;
  if (path !== undefined) return `part of the widget: ${path.replace(/\.tsx?$/, '')}`;
  const [, library] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(facadeModuleId ?? '') ?? [];
  return library === undefined ? 'code that several screens share' : `library: ${library}`;
}

/** The scripts inside the page itself. */
function inlineEntries(html: string): InventoryEntry[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = '']) => ({
    file: 'index.html',
    integrity: `sha384-${createHash('sha384').update(code).digest('base64')}`,
    purpose:
      'inside the page: shows the form of a tapped tile, keeps taps that come before the code, finds the wallets of the device',
  }));
}

/** Must come after whatever changes a script that was written already. */
export function scriptInventory(): Plugin {
  let outDir = '';
  return {
    name: 'script-inventory',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir);
    },
    writeBundle: {
      order: 'post',
      handler(_options, bundle) {
        const entries: InventoryEntry[] = Object.values(bundle)
          .filter((output) => output.type === 'chunk')
          .map((chunk) => ({
            file: chunk.fileName,
            integrity: `sha384-${createHash('sha384')
              .update(readFileSync(join(outDir, chunk.fileName)))
              .digest('base64')}`,
            purpose: purposeOf(chunk),
          }))
          .concat(inlineEntries(readFileSync(join(outDir, 'index.html'), 'utf8')))
          .sort((one, other) => (one.file < other.file ? -1 : 1));
        writeFileSync(join(outDir, 'script-inventory.json'), `${JSON.stringify(entries, null, 2)}\n`);
      },
    },
  };
}
