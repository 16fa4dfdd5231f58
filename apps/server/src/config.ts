/** The server's settings, read from the environment once. docs/operate.md describes them. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from './config-error.ts';
import { misspeltNames } from './config-names.ts';
import { type Environment, leastSecretLength, type SettingsReader, settingsReader } from './config-reader.ts';
import type { DemoOperator } from './operators/seed-demo-operator.ts';

export interface GeetestConfig {
  readonly captchaId: string;
  readonly key: string;
  /** Without a slash at its end. */
  readonly api: string;
}

export interface StripeConfig {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  readonly productName?: string;
}

/** The standard variables of OpenTelemetry, as far as they are read here; headers and time limits are the SDK's to read. */
export interface TracingConfig {
  /** Where traces go, with its path. */
  readonly url: string;
  readonly sampler: string;
  readonly samplerArgument: string | undefined;
}

export interface Config {
  /** 0: any free one, for tests. */
  readonly port: number;
  readonly host: string;
  /** The embedded database and the secrets that the server made for itself. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  /** The address that browsers use, without a slash at its end. Absent: this machine. */
  readonly publicUrl: string | undefined;
  readonly logLevel: string;
  /** Whether the sandbox provider and the widget's console hooks exist. Never where money is real. */
  readonly isSandbox: boolean;
  readonly demoOperator: DemoOperator | undefined;
  readonly sandboxProviderSecret: string | undefined;
  readonly tokenSecret: string | undefined;
  /** Encrypt what is kept for long, such as saved payout accounts; the first writes, all read. Empty: the token secret does. */
  readonly dataKeys: readonly string[];
  readonly metricsToken: string | undefined;
  /** The captcha's account (ERR-5). Absent: the sandbox's stand-in, or none. */
  readonly geetest: GeetestConfig | undefined;
  /** The account at Stripe that takes cards. Absent: its methods are not offered. */
  readonly stripe: StripeConfig | undefined;
  /** The file that names the chains to watch. Absent: none. */
  readonly cryptoFile: string | undefined;
  /** Keys of chains' nodes, by names that begin with `CHAIN_KEY_`; the file names them instead of holding them. */
  readonly chainKeys: Readonly<Record<string, string | undefined>>;
  /** Whether calls are limited per user; switched off only to measure. */
  readonly hasRateLimits: boolean;
  /** How many proxies stand before the server: so many addresses at the end of `X-Forwarded-For` are believed. */
  readonly trustedProxies: number;
  /** For so long a node that is told to end says that it is not ready and goes on serving, in ms. */
  readonly drainMs: number;
  readonly product: string;
  /** The widget's build. */
  readonly widgetDir: string;
  /** Sites whose players the video guide may show inside the widget (DEP-13); from any other a guide is a link. */
  readonly videoOrigins: readonly string[];
  /** Where the sandbox's pages are reached, when not at the public address: a provider of its own origin, as in life. */
  readonly sandboxUrl: string | undefined;
  /** Where exchange rates come from. Absent: the sandbox's seeded ones, or none. */
  readonly ratesUrl: string | undefined;
  /** Age in ms from which on the rate of a coin counts as stale. */
  readonly rateStaleAfterMs: number;
  /** Absent: no traces. */
  readonly tracing: TracingConfig | undefined;
}

// The same two steps from apps/server/src and from apps/server/dist.
const besideServer = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** First parts of addresses that the server uses itself. */
const takenProducts = ['api', 'captcha', 'operator', 'providers', 'health', 'ready', 'metrics', 'v4'];

const httpProtocols = ['http:', 'https:'];

/**
 * Reads each setting by itself; what the server finds wrong only where it runs is in `start-checks.ts`.
 * @throws ConfigError naming each setting and what it should be
 */
export function readConfig(environment: Environment): Config {
  const reader = settingsReader(environment);
  const { text, address, secret, flag, whole } = reader;
  const config: Config = {
    port: whole('PORT', { least: 0, most: 65_535, fallback: 3000 }, 'a number from 0 to 65535'),
    host: text('HOST') ?? '127.0.0.1',
    dataDir: resolve(text('DATA_DIR') ?? '.data'),
    databaseUrl: address('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: address('REDIS_URL', ['redis:', 'rediss:']),
    publicUrl: address('PUBLIC_URL', httpProtocols)?.replace(/\/+$/, ''),
    logLevel: readLogLevel(reader),
    isSandbox: flag('SANDBOX', false),
    demoOperator: readDemoOperator(reader),
    sandboxProviderSecret: secret('SANDBOX_PROVIDER_SECRET'),
    tokenSecret: secret('TOKEN_SECRET'),
    dataKeys: readDataKeys(reader),
    metricsToken: secret('METRICS_TOKEN'),
    geetest: readGeetest(reader),
    stripe: readStripe(reader),
    cryptoFile: text('CRYPTO_FILE'),
    chainKeys: Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('CHAIN_KEY_'))),
    hasRateLimits: flag('RATE_LIMITS', true),
    trustedProxies: whole(
      'TRUST_PROXY',
      { least: 0, most: 8, fallback: 0 },
      'the number of proxies before the server, from 0 to 8',
    ),
    drainMs: 1_000 * whole('DRAIN_SECONDS', { least: 0, most: 60, fallback: 3 }, 'a number of seconds from 0 to 60'),
    product: readProduct(reader),
    widgetDir: resolve(text('WIDGET_DIR') ?? besideServer('widget/dist')),
    videoOrigins: reader.origins('VIDEO_ORIGINS', 'https://player.vimeo.com'),
    sandboxUrl: address('SANDBOX_URL', httpProtocols)?.replace(/\/+$/, ''),
    ratesUrl: address('RATES_URL', httpProtocols),
    rateStaleAfterMs:
      1_000 *
      whole('RATE_STALE_AFTER', { least: 1, most: 86_400, fallback: 300 }, 'a number of seconds from 1 to 86400'),
    tracing: readTracing(reader),
  };
  for (const { found, meant } of misspeltNames(setNames(environment), reader.names())) {
    reader.problems.push(
      meant === undefined ? `${found} is no setting of this server.` : `${found} is no setting: ${meant} is meant.`,
    );
  }
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

const setNames = (environment: Environment): string[] =>
  Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? name : []));

function readLogLevel({ text, fail }: SettingsReader): string {
  const level = text('LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(level)) fail('LOG_LEVEL', `one of ${logLevels.join(', ')}`);
  return level;
}

function readProduct({ text, fail }: SettingsReader): string {
  const product = text('PRODUCT') ?? 'cashier';
  if (!/^[a-z0-9-]{1,32}$/.test(product)) fail('PRODUCT', 'small letters, digits and hyphens');
  if (takenProducts.includes(product)) fail('PRODUCT', 'a name that the server does not use itself');
  return product;
}

function readDemoOperator({ origins, secret, address }: SettingsReader): DemoOperator | undefined {
  const secretKey = secret('SEED_DEMO_OPERATOR_KEY');
  const operator = {
    origins: origins('SEED_DEMO_ORIGIN', 'http://localhost:3001'),
    webhookUrl: address('SEED_DEMO_WEBHOOK_URL', ['https:', 'http:']),
    webhookSecret: secret('SEED_DEMO_WEBHOOK_SECRET'),
  };
  return secretKey === undefined ? undefined : { secretKey, ...operator };
}

function readGeetest({ text, address, fail }: SettingsReader): GeetestConfig | undefined {
  const [captchaId, key] = [text('GEETEST_CAPTCHA_ID'), text('GEETEST_KEY')];
  const api = address('GEETEST_API', ['https:', 'http:'])?.replace(/\/+$/, '') ?? 'https://gcaptcha4.geetest.com';
  if ((captchaId === undefined) !== (key === undefined)) fail('GEETEST_KEY', 'set together with GEETEST_CAPTCHA_ID');
  return captchaId === undefined || key === undefined ? undefined : { captchaId, key, api };
}

/** What Stripe gives out is longer; a key that was cut while it was copied is not. */
const stripeKeyForm = /^[sr]k_(?:test|live)_[A-Za-z0-9_]{16,}$/;
const stripeSecretForm = /^whsec_[A-Za-z0-9+/=_-]{16,}$/;

function readStripe({ text, list, fail }: SettingsReader): StripeConfig | undefined {
  const secretKey = text('STRIPE_SECRET_KEY');
  const webhookSecrets = list('STRIPE_WEBHOOK_SECRET');
  const productName = text('STRIPE_PRODUCT_NAME');
  if (secretKey !== undefined && !stripeKeyForm.test(secretKey)) {
    fail('STRIPE_SECRET_KEY', 'a whole secret key of Stripe, which begins with sk_ or rk_, then live_ or test_');
  }
  if (!webhookSecrets.every((secret) => stripeSecretForm.test(secret))) {
    fail('STRIPE_WEBHOOK_SECRET', 'a whole signing secret of Stripe, which begins with whsec_');
  }
  if ((secretKey === undefined) !== (webhookSecrets.length === 0)) {
    fail('STRIPE_WEBHOOK_SECRET', 'set together with STRIPE_SECRET_KEY');
  }
  if (secretKey === undefined) return undefined;
  return { secretKey, webhookSecrets, ...(productName !== undefined && { productName }) };
}

function readDataKeys({ list, fail }: SettingsReader): string[] {
  const keys = list('DATA_KEY');
  if (keys.some((key) => key.length < leastSecretLength)) {
    fail('DATA_KEY', `at least ${leastSecretLength} characters long; of several, with a comma between two, each`);
  }
  return keys;
}

function readTracing({ text, address, fail }: SettingsReader): TracingConfig | undefined {
  const base = address('OTEL_EXPORTER_OTLP_ENDPOINT', httpProtocols)?.replace(/\/+$/, '');
  const url = address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', httpProtocols) ?? (base && `${base}/v1/traces`);
  const sampler = text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const samplerArgument = text('OTEL_TRACES_SAMPLER_ARG');
  const share = Number(samplerArgument ?? '1');
  if (!samplers.includes(sampler)) fail('OTEL_TRACES_SAMPLER', `one of ${samplers.join(', ')}`);
  if (sampler.endsWith('traceidratio') && !(share >= 0 && share <= 1)) {
    fail('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1');
  }
  const isTracing = text('OTEL_SDK_DISABLED')?.toLowerCase() !== 'true' && text('OTEL_TRACES_EXPORTER') !== 'none';
  return isTracing && url !== undefined ? { url, sampler, samplerArgument } : undefined;
}
