/** A folder with packages of providers, as an operator of the server makes it by `npm install`. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));

export interface ProviderHome {
  readonly folder: string;
  /** The path of `providers.json`. */
  readonly file: string;
  /** Writes files of the folder, by path. */
  write(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

/** @param providers of `providers.json` */
export function createProviderHome(providers: object): ProviderHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'opencashier-providers-')));
  const file = join(folder, 'providers.json');
  const write: ProviderHome['write'] = (files) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
  write({ 'providers.json': JSON.stringify({ providers }) });
  return { folder, file, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Installs the kit, built from its sources, and the provider of `examples/provider`. */
export async function installExample({ folder }: ProviderHome): Promise<void> {
  await installBuilt(folder, 'provider-kit', { index: 'src/index.ts', 'testing/index': 'src/testing/index.ts' });
  cpSync(join(root, 'examples/provider'), join(folder, 'node_modules/opencashier-provider-acme'), { recursive: true });
}

/** Installs the kit and a provider of this repository, built from their sources. @param name such as `provider-checkout-com` */
export async function installProvider({ folder }: ProviderHome, name: string): Promise<void> {
  await installBuilt(folder, 'provider-kit', { index: 'src/index.ts' });
  await installBuilt(folder, name, { index: 'src/index.ts' });
  for (const file of ['provider.json', 'methods.yaml']) {
    cpSync(join(root, 'packages', name, file), join(folder, 'node_modules/@opencashier', name, file));
  }
}

/** A package of `packages/`, as its archive has it. Other packages stay imports. */
async function installBuilt(folder: string, name: string, input: Readonly<Record<string, string>>): Promise<void> {
  const target = join(folder, 'node_modules/@opencashier', name);
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(root, 'packages', name),
    build: {
      ssr: true,
      target: 'node20',
      outDir: join(target, 'dist'),
      emptyOutDir: true,
      rolldownOptions: { input: { ...input }, external: [/^@opencashier\//] },
    },
  });
  cpSync(join(root, 'packages', name, 'package.json'), join(target, 'package.json'));
}

/** Optional methods of a canary: what the manifest says of them, and their code. */
export interface CanaryParts {
  readonly manifest?: object;
  readonly code?: string;
}

/** A package with a provider `canary`, whose `create` runs `body` and answers with what it returns. */
export function installCanary(home: ProviderHome, body: string, more: CanaryParts = {}): void {
  const code = `
    export const createProvider = ({ secrets }) => ({
      name: 'canary',
      async create(deposit) {
        const load = (name) => import(name);
        const attempt = async (run) => { try { return String(await run() ?? 'done'); } catch (error) { return error.code ?? error.cause?.message ?? error.message; } };
        ${body}
      },
      inquire: async () => undefined,
      verify: () => ({ kind: 'rejected', reason: 'none' }),
      read: () => undefined,
      ${more.code ?? ''}
    });`;
  home.write({
    'node_modules/canary/package.json': '{"name":"canary","type":"module","exports":"./index.js"}',
    'node_modules/canary/provider.json': JSON.stringify({ kit: 1, name: 'canary', secrets: ['key'], ...more.manifest }),
    'node_modules/canary/index.js': code,
  });
}
