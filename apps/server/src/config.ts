/** The server's settings, read from the environment once. docs/operate.md describes them. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Says every setting that is wrong, not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

// The same two steps from apps/server/src and from apps/server/dist.
const besideServer = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** @throws ConfigError naming each setting and what it should be */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const fail = (name: string, expected: string): void => {
    problems.push(`${name} must be ${expected}.`);
  };
  const flag = (name: string, fallback: boolean): boolean => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (['1', 'true', 'on'].includes(value)) return true;
    if (!['0', 'false', 'off'].includes(value)) fail(name, '1 or 0');
    return false;
  };
  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      fail(name, `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    }
    return value;
  };
  const secret = (name: string): string | undefined => {
    const value = text(name);
    if (value !== undefined && value.length < 32) fail(name, 'at least 32 characters long');
    return value;
  };

  const port = Number(text('PORT') ?? '3000');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) fail('PORT', 'a number from 0 to 65535');
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(logLevel)) fail('LOG_LEVEL', `one of ${logLevels.join(', ')}`);
  const product = text('PRODUCT') ?? 'cashier';
  if (!/^[a-z0-9-]{1,32}$/.test(product)) fail('PRODUCT', 'small letters, digits and hyphens');
  if (['api', 'captcha', 'operator', 'providers', 'health', 'ready', 'metrics', 'v4'].includes(product)) {
    fail('PRODUCT', 'a name that the server does not use itself');
  }
  const origins = (text('SEED_DEMO_ORIGIN') ?? '').split(',').flatMap((part) => part.trim() || []);
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      fail('SEED_DEMO_ORIGIN', 'origins such as http://localhost:3001, with a comma between two and no path');
    }
  }
  const videoOrigins = (text('VIDEO_ORIGINS') ?? '').split(',').flatMap((part) => part.trim() || []);
  for (const origin of videoOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin || !/^https?:/.test(origin)) {
      fail('VIDEO_ORIGINS', 'origins such as https://player.vimeo.com, with a comma between two and no path');
    }
  }
  const demoKey = secret('SEED_DEMO_OPERATOR_KEY');
  const demoOperator = {
    origins,
    webhookUrl: url('SEED_DEMO_WEBHOOK_URL', ['https:', 'http:']),
    webhookSecret: secret('SEED_DEMO_WEBHOOK_SECRET'),
  };

  const [captchaId, geetestKey] = [text('GEETEST_CAPTCHA_ID'), text('GEETEST_KEY')];
  if ((captchaId === undefined) !== (geetestKey === undefined))
    fail('GEETEST_KEY', 'set together with GEETEST_CAPTCHA_ID');
  const geetestApi = url('GEETEST_API', ['https:', 'http:'])?.replace(/\/+$/, '') ?? 'https://gcaptcha4.geetest.com';

  const stripeKey = text('STRIPE_SECRET_KEY');
  const stripeSecrets = (text('STRIPE_WEBHOOK_SECRET') ?? '').split(',').flatMap((part) => part.trim() || []);
  const stripeProduct = text('STRIPE_PRODUCT_NAME');
  if ((stripeKey === undefined) !== (stripeSecrets.length === 0)) {
    fail('STRIPE_WEBHOOK_SECRET', 'set together with STRIPE_SECRET_KEY');
  }

  const trustedProxies = Number(text('TRUST_PROXY') ?? '0');
  if (!Number.isInteger(trustedProxies) || trustedProxies < 0 || trustedProxies > 8) {
    fail('TRUST_PROXY', 'the number of proxies before the server, from 0 to 8');
  }

  const rateStaleAfter = Number(text('RATE_STALE_AFTER') ?? '300');
  if (!Number.isInteger(rateStaleAfter) || rateStaleAfter < 1 || rateStaleAfter > 86_400) {
    fail('RATE_STALE_AFTER', 'a number of seconds from 1 to 86400');
  }

  const tracesBase = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])?.replace(/\/+$/, '');
  const tracesUrl =
    url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']) ?? (tracesBase && `${tracesBase}/v1/traces`);
  const sampler = text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const samplerArgument = text('OTEL_TRACES_SAMPLER_ARG');
  if (!samplers.includes(sampler)) fail('OTEL_TRACES_SAMPLER', `one of ${samplers.join(', ')}`);
  if (
    sampler.endsWith('traceidratio') &&
    !(Number(samplerArgument ?? '1') >= 0 && Number(samplerArgument ?? '1') <= 1)
  ) {
    fail('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1');
  }
  const isTracing = text('OTEL_SDK_DISABLED')?.toLowerCase() !== 'true' && text('OTEL_TRACES_EXPORTER') !== 'none';

  const config: Config = {
    port,
    host: text('HOST') ?? '127.0.0.1',
    dataDir: resolve(text('DATA_DIR') ?? '.data'),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    publicUrl: url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    logLevel,
    isSandbox: flag('SANDBOX', false),
    demoOperator: demoKey === undefined ? undefined : { secretKey: demoKey, ...demoOperator },
    sandboxProviderSecret: secret('SANDBOX_PROVIDER_SECRET'),
    tokenSecret: secret('TOKEN_SECRET'),
    metricsToken: secret('METRICS_TOKEN'),
    geetest:
      captchaId === undefined || geetestKey === undefined ? undefined : { captchaId, key: geetestKey, api: geetestApi },
    stripe:
      stripeKey === undefined
        ? undefined
        : {
            secretKey: stripeKey,
            webhookSecrets: stripeSecrets,
            ...(stripeProduct !== undefined && { productName: stripeProduct }),
          },
    cryptoFile: text('CRYPTO_FILE'),
    chainKeys: Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('CHAIN_KEY_'))),
    hasRateLimits: flag('RATE_LIMITS', true),
    trustedProxies,
    product,
    widgetDir: resolve(text('WIDGET_DIR') ?? besideServer('widget/dist')),
    videoOrigins,
    sandboxUrl: url('SANDBOX_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    ratesUrl: url('RATES_URL', ['http:', 'https:']),
    rateStaleAfterMs: rateStaleAfter * 1_000,
    tracing: isTracing && tracesUrl !== undefined ? { url: tracesUrl, sampler, samplerArgument } : undefined,
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
