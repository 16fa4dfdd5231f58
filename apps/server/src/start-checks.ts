/** Checks of settings that need the machine on which the server runs. They run before anything is opened. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Config } from './config/config.ts';
import { ConfigError } from './errors/config-error.ts';
import { readCryptoSettings } from './providers/crypto/crypto-settings.ts';
import { webhookAddressProblem } from './webhooks/webhook-address.ts';

/**
 * Refuses settings that are valid each by itself, but do not fit each other or this machine.
 * @throws ConfigError with a line for each
 */
export async function checkStart(config: Config): Promise<void> {
  const problems = [...contradictions(config), ...folderProblems(config), ...(await hostProblems(config))];
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Settings that contradict each other. */
export function contradictions(config: Config): string[] {
  const { isSandbox, publicUrl, redisUrl, tokenSecret, stripe } = config;
  const problems: string[] = [];
  if (!isSandbox && publicUrl?.startsWith('http:')) {
    problems.push('PUBLIC_URL must be an https:// address when SANDBOX is off.');
  }
  if (redisUrl !== undefined && tokenSecret === undefined) {
    problems.push('TOKEN_SECRET must be set when REDIS_URL is set. Otherwise each node creates its own secret.');
  }
  if (isSandbox && stripe !== undefined && /^[sr]k_live_/.test(stripe.secretKey)) {
    problems.push(
      'SANDBOX must be 0 when STRIPE_SECRET_KEY is a live key. The sandbox and real money cannot share a cashier.',
    );
  }
  const webhookUrl = config.demoOperator?.webhookUrl;
  const problem = webhookUrl === undefined ? undefined : webhookAddressProblem(webhookUrl, isSandbox);
  if (problem !== undefined) problems.push(`SEED_DEMO_WEBHOOK_URL must be a public https:// address: ${problem}.`);
  return problems;
}

function folderProblems({ dataDir, databaseUrl, tokenSecret, widgetDir, cryptoFile, chainKeys }: Config): string[] {
  const problems: string[] = [];
  const attempt = (expected: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      problems.push(`${expected}: ${codeOf(error)}.`);
    }
  };
  // A node with PostgreSQL and a secret from its settings stores nothing here, and its disk may be read-only.
  if (databaseUrl === undefined || tokenSecret === undefined) {
    attempt('DATA_DIR must be a folder that the server’s user can write', () => {
      makeFolder(dataDir);
      const probe = join(dataDir, `start-${process.pid}`);
      writeFileSync(probe, 'x');
      rmSync(probe);
    });
  }
  attempt('WIDGET_DIR must be the folder of a built widget, with its index.html', () => {
    accessSync(join(widgetDir, 'index.html'), constants.R_OK);
  });
  if (cryptoFile !== undefined) {
    attempt('CRYPTO_FILE must be a readable file with the settings of chains', () => {
      readCryptoSettings(readFileSync(cryptoFile, 'utf8'), chainKeys);
    });
  }
  return problems;
}

/** Node's recursive `mkdir` never ends below a folder that refuses new folders, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

/** Listens for a moment on any port of the address. */
async function hostProblems({ host }: Config): Promise<string[]> {
  const refusal = await new Promise<unknown>((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ port: 0, host }, () => probe.close(() => resolve(undefined)));
  });
  return refusal === undefined ? [] : [`HOST must be an address of this machine: ${codeOf(refusal)}.`];
}

/** The system's code of an error, since its message may name a value. For our own errors the message. */
function codeOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' ? code : String(message).replace(/\.$/, '');
}

/** Errors whose message is a line for the person who starts the server. */
const plainErrors = ['ConfigError', 'CatalogueError', 'FolderInUseError', 'AddressesBehindError'];
const chainErrors = ['CryptoSettingsError', 'AccountKeyError'];

/** One clear line for an error that the reader can fix, the whole error for any other. */
export function explainStart(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') return `Port ${port} of ${address} is already in use. Set PORT to another port.`;
  if (code === 'EACCES' && port !== undefined)
    return `The server’s user has no right to use port ${port}. Set PORT to another port, such as 3000.`;
  if (chainErrors.includes(error.name)) return `CRYPTO_FILE: ${error.message}`;
  return plainErrors.includes(error.name) ? error.message : (error.stack ?? error.message);
}
