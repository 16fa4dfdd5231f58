/** What the environment says, read once. */

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where the cashier lives, without a slash at the end. */
  readonly cashierUrl: string;
  /** This operator's public name at the cashier. */
  readonly partner: string;
  /** Secret: speaks to the cashier as this operator. Never leaves this process. */
  readonly operatorKey: string;
  /** Secret: proves that a webhook comes from the cashier. */
  readonly webhookSecret: string;
  readonly dataFolder: string;
  /** This site keeps its users' balances itself, and the cashier calls its wallet. */
  readonly hasOwnWallet: boolean;
  /** The origin of the documentation, whose live demo gets tokens of guests. */
  readonly docsOrigin: string | undefined;
}

/** @throws ConfigError naming the variable that is wrong or missing */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const port = Number(env['DEMO_PORT'] ?? 3001);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new ConfigError('DEMO_PORT must be a port number.');
  const cashierUrl = (env['CASHIER_URL'] ?? 'http://localhost:3000').replace(/\/+$/, '');
  if (!/^https?:\/\//.test(cashierUrl) || !URL.canParse(cashierUrl)) {
    throw new ConfigError('CASHIER_URL must be an http(s) address.');
  }
  const wallet = env['DEMO_WALLET'] ?? 'cashier';
  if (wallet !== 'cashier' && wallet !== 'operator') {
    throw new ConfigError('DEMO_WALLET must be `cashier` or `operator`.');
  }
  return {
    host: env['HOST'] ?? '127.0.0.1',
    port,
    cashierUrl,
    partner: env['PARTNER'] ?? 'demo',
    operatorKey: required(env, 'OPERATOR_KEY'),
    webhookSecret: required(env, 'WEBHOOK_SECRET'),
    dataFolder: env['DATA_DIR'] ?? '.data',
    hasOwnWallet: wallet === 'operator',
    docsOrigin: originOf(env['DOCS_ORIGIN']),
  };
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

function originOf(value: string | undefined): string | undefined {
  if (!value) return undefined;
  if (!URL.canParse(value) || new URL(value).origin !== value) {
    throw new ConfigError('DOCS_ORIGIN must be an origin such as http://localhost:3003.');
  }
  return value;
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new ConfigError(`${name} is missing. \`npm start\` in the project's root sets it.`);
  return value;
}
