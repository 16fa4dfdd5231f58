/** The server's settings, read from the environment once. docs/operate.md describes them. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../errors/config-error.ts';
import type { TracingSettings } from '../observability/open-telemetry.ts';
import type { DemoOperator } from '../operators/seed-demo-operator.ts';
import { misspeltNames } from './config-names.ts';
import { type Environment, readSettings, type Settings, settingNames } from './config-schema.ts';
import { readSecrets, secretFileNames } from './secret-files.ts';

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

/** The standard variables of OpenTelemetry that the server reads. The SDK itself reads headers and time limits. */
export interface Config {
  /** 0: any free port, for tests. */
  readonly port: number;
  readonly host: string;
  /** The folder of the embedded database and of the secrets that the server makes for itself. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  /** The address that browsers use, without a slash at its end. Absent: this machine. */
  readonly publicUrl: string | undefined;
  /** The address of the documentation that error answers link to. Absent: the published one. */
  readonly documentation: string | undefined;
  readonly logLevel: string;
  /** Whether the sandbox provider and the widget's console hooks exist. Never where money is real. */
  readonly isSandbox: boolean;
  readonly demoOperator: DemoOperator | undefined;
  readonly sandboxProviderSecret: string | undefined;
  readonly tokenSecret: string | undefined;
  /** Encrypt stored data, such as payout accounts. The first key encrypts, all decrypt. Empty: the token secret encrypts. */
  readonly dataKeys: readonly string[];
  /** Master keys of operators' connections, as `master-key-setting.ts` reads them. The first wraps, all unwrap. */
  readonly masterKeys: readonly string[];
  readonly metricsToken: string | undefined;
  /** The captcha's account (ERR-5). Absent: the stand-in in the sandbox, elsewhere no captcha. */
  readonly geetest: GeetestConfig | undefined;
  /** The account at Stripe that takes cards. Absent: its methods are not offered. */
  readonly stripe: StripeConfig | undefined;
  /** The file that names the chains to watch. Absent: none. */
  readonly cryptoFile: string | undefined;
  /** Keys of blockchain nodes, by names that begin with `CHAIN_KEY_`. The chain file holds only the names. */
  readonly chainKeys: Readonly<Record<string, string | undefined>>;
  /** The file of providers that are packages. Absent: none. */
  readonly providersFile: string | undefined;
  /** Lightning nodes that connections of operators may use. Empty: there are no such connections. */
  readonly lightningNodes: readonly string[];
  /** Secrets of these providers, by names that begin with `PROVIDER_KEY_`. The file holds only the names. */
  readonly providerKeys: Readonly<Record<string, string | undefined>>;
  /** Whether calls are limited per user. Only measurements switch it off. */
  readonly hasRateLimits: boolean;
  /** How many proxies stand before the server. The server trusts as many addresses at the end of `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** How long a node that was told to stop reports "not ready" while it still serves requests. ms. */
  readonly drainMs: number;
  readonly product: string;
  /** The widget's build. */
  readonly widgetDir: string;
  /** Sites whose players the video guide may show inside the widget (DEP-13). A guide on any other site is a link. */
  readonly videoOrigins: readonly string[];
  /** The address of the sandbox's pages, when it is not the public address. Real providers have an origin of their own, too. */
  readonly sandboxUrl: string | undefined;
  /** Where exchange rates come from. Absent: the seeded rates in the sandbox, elsewhere none. */
  readonly ratesUrl: string | undefined;
  /** Age from which the rate of a crypto currency counts as stale. ms. */
  readonly rateStaleAfterMs: number;
  /** Absent: no traces. */
  readonly tracing: TracingSettings | undefined;
}

// Built files lie directly in apps/server/dist. The source file lies one folder deeper.
const apps = import.meta.url.endsWith('.ts') ? '../../..' : '../..';
const besideServer = (path: string): string => fileURLToPath(new URL(`${apps}/${path}`, import.meta.url));

/**
 * Reads each setting by itself. A secret may come from a file. `start-checks.ts` checks what only the running server can find wrong.
 * @throws ConfigError naming each wrong setting and what it must be
 */
export function readConfig(environment: Environment): Config {
  const { secrets, problems: unreadable } = readSecrets(environment);
  const read = readSettings((name) => secrets.get(name) ?? environment[name]);
  const problems = [...unreadable, ...('problems' in read ? read.problems : []), ...namesThatNobodyReads(environment)];
  if ('problems' in read || problems.length > 0) throw new ConfigError(problems);
  const { settings } = read;
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    redisUrl: settings.REDIS_URL,
    publicUrl: settings.PUBLIC_URL,
    documentation: settings.DOCS_URL,
    logLevel: settings.LOG_LEVEL,
    isSandbox: settings.SANDBOX,
    demoOperator: demoOperatorOf(settings),
    sandboxProviderSecret: settings.SANDBOX_PROVIDER_SECRET,
    tokenSecret: settings.TOKEN_SECRET,
    dataKeys: settings.DATA_KEY,
    masterKeys: settings.MASTER_KEY,
    metricsToken: settings.METRICS_TOKEN,
    geetest: geetestOf(settings),
    stripe: stripeOf(settings),
    cryptoFile: settings.CRYPTO_FILE,
    chainKeys: Object.fromEntries([...secrets].filter(([name]) => name.startsWith('CHAIN_KEY_'))),
    providersFile: settings.PROVIDERS_FILE && resolve(settings.PROVIDERS_FILE),
    lightningNodes: settings.LIGHTNING_NODES,
    providerKeys: Object.fromEntries([...secrets].filter(([name]) => name.startsWith('PROVIDER_KEY_'))),
    hasRateLimits: settings.RATE_LIMITS,
    trustedProxies: settings.TRUST_PROXY,
    drainMs: 1_000 * settings.DRAIN_SECONDS,
    product: settings.PRODUCT,
    widgetDir: resolve(settings.WIDGET_DIR ?? besideServer('widget/dist')),
    videoOrigins: settings.VIDEO_ORIGINS,
    sandboxUrl: settings.SANDBOX_URL,
    ratesUrl: settings.RATES_URL,
    rateStaleAfterMs: 1_000 * settings.RATE_STALE_AFTER,
    tracing: tracingOf(settings),
  };
}

/** A line for each variable that looks like a setting of this server and is none. */
function namesThatNobodyReads(environment: Environment): string[] {
  const set = Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? name : []));
  return misspeltNames(set, new Set([...settingNames, ...secretFileNames])).map(({ found, meant }) =>
    meant === undefined
      ? `${found} is not a setting of this server. Remove it, or see docs/operate.md.`
      : `${found} is not a setting of this server. Did you mean ${meant}?`,
  );
}

function demoOperatorOf(settings: Settings): DemoOperator | undefined {
  const secretKey = settings.SEED_DEMO_OPERATOR_KEY;
  if (secretKey === undefined) return undefined;
  return {
    secretKey,
    origins: settings.SEED_DEMO_ORIGIN,
    webhookUrl: settings.SEED_DEMO_WEBHOOK_URL,
    webhookSecret: settings.SEED_DEMO_WEBHOOK_SECRET,
  };
}

function geetestOf(settings: Settings): GeetestConfig | undefined {
  const account = allSet({ captchaId: settings.GEETEST_CAPTCHA_ID, key: settings.GEETEST_KEY });
  return account && { ...account, api: settings.GEETEST_API ?? 'https://gcaptcha4.geetest.com' };
}

/** The settings of an account, or undefined when one of them is not set. */
function allSet<Name extends string>(
  values: Readonly<Record<Name, string | undefined>>,
): Readonly<Record<Name, string>> | undefined {
  const isWhole = (given: typeof values): given is Readonly<Record<Name, string>> =>
    Object.values(given).every((value) => value !== undefined);
  return isWhole(values) ? values : undefined;
}

function stripeOf(settings: Settings): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PRODUCT_NAME: productName } = settings;
  if (secretKey === undefined) return undefined;
  return {
    secretKey,
    webhookSecrets: settings.STRIPE_WEBHOOK_SECRET,
    ...(productName !== undefined && { productName }),
  };
}

function tracingOf(settings: Settings): TracingSettings | undefined {
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  const isOff = settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || settings.OTEL_TRACES_EXPORTER === 'none';
  if (isOff || url === undefined) return undefined;
  return { url, sampler: settings.OTEL_TRACES_SAMPLER, samplerArgument: settings.OTEL_TRACES_SAMPLER_ARG };
}
