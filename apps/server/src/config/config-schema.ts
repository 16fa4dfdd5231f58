/** Each setting of the environment: what it accepts, and what an error says that it must be. */
import * as v from 'valibot';
import { sandboxSecretForm, sandboxSecretMeaning } from '../providers/sandbox/sandbox-connection.ts';
import {
  stripeKeyForm,
  stripeKeyMeaning,
  stripeSecretForm,
  stripeSecretMeaning,
} from '../providers/stripe/stripe-key-forms.ts';
import { masterKeyFault } from './master-key-setting.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const httpProtocols = ['https:', 'http:'];
const leastSecretLength = 32;

const text = v.optional(v.string());

/** The values between commas. An empty setting has none. */
const list = v.optional(
  v.pipe(
    v.string(),
    v.transform((values) => values.split(',').flatMap((value) => value.trim() || [])),
  ),
  '',
);

const secret = v.optional(
  v.pipe(v.string(), v.minLength(leastSecretLength, `at least ${leastSecretLength} characters long`)),
);

function flag(fallback: '0' | '1') {
  const on = ['1', 'true', 'on'];
  return v.optional(
    v.pipe(
      v.picklist([...on, '0', 'false', 'off'], '1 or 0'),
      v.transform((value) => on.includes(value)),
    ),
    fallback,
  );
}

function whole(least: number, most: number, fallback: number, meaning = 'a number') {
  const expected = `${meaning} from ${least} to ${most}`;
  return v.optional(
    v.pipe(
      v.string(),
      v.transform(Number),
      v.integer(expected),
      v.minValue(least, expected),
      v.maxValue(most, expected),
    ),
    String(fallback),
  );
}

function address(protocols: readonly string[] = httpProtocols) {
  const expected = `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return v.optional(
    v.pipe(
      v.string(),
      v.check((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), expected),
    ),
  );
}

/** An address to which the server adds paths, so a slash at its end is removed. */
const baseAddress = v.pipe(
  address(),
  v.transform((value) => value?.replace(/\/+$/, '')),
);

function origins(example: string) {
  return v.pipe(
    list,
    v.everyItem(
      (origin) => URL.canParse(origin) && new URL(origin).origin === origin && /^https?:/.test(origin),
      `origins such as ${example}, without a path, separated by commas`,
    ),
  );
}

function oneOf(values: readonly string[], fallback: string) {
  return v.optional(v.picklist(values, `one of ${values.join(', ')}`), fallback);
}

/** The first part of an address that the server uses itself. */
const takenProducts = ['api', 'captcha', 'operator', 'providers', 'health', 'ready', 'metrics', 'v4'];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);

const settings = v.object({
  PORT: whole(0, 65_535, 3000),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), '.data'),
  DATABASE_URL: address(['postgres:', 'postgresql:']),
  REDIS_URL: address(['redis:', 'rediss:']),
  PUBLIC_URL: baseAddress,
  DOCS_URL: baseAddress,
  LOG_LEVEL: oneOf(logLevels, 'info'),
  SANDBOX: flag('0'),
  SEED_DEMO_OPERATOR_KEY: secret,
  SEED_DEMO_ORIGIN: origins('http://localhost:3001'),
  SEED_DEMO_WEBHOOK_URL: address(),
  SEED_DEMO_WEBHOOK_SECRET: secret,
  SANDBOX_PROVIDER_SECRET: v.optional(v.pipe(v.string(), v.regex(sandboxSecretForm, sandboxSecretMeaning))),
  TOKEN_SECRET: secret,
  DATA_KEY: v.pipe(
    list,
    v.everyItem(
      (key) => key.length >= leastSecretLength,
      `at least ${leastSecretLength} characters long. Separate several keys with commas; each must be that long`,
    ),
  ),
  MASTER_KEY: v.pipe(
    list,
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? masterKeyFault(dataset.value) : undefined;
      if (fault !== undefined) addIssue({ message: fault });
    }),
  ),
  METRICS_TOKEN: secret,
  GEETEST_CAPTCHA_ID: text,
  GEETEST_KEY: text,
  GEETEST_API: baseAddress,
  STRIPE_SECRET_KEY: v.optional(v.pipe(v.string(), v.regex(stripeKeyForm, stripeKeyMeaning))),
  STRIPE_WEBHOOK_SECRET: v.pipe(
    list,
    v.everyItem((value) => stripeSecretForm.test(value), stripeSecretMeaning),
  ),
  STRIPE_PRODUCT_NAME: text,
  CRYPTO_FILE: text,
  PROVIDERS_FILE: text,
  LIGHTNING_NODES: v.pipe(
    list,
    v.everyItem(
      (node) => /^https?:\/\/[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/.test(node),
      'addresses such as http://phoenixd:9740, with commas between them and without a path',
    ),
  ),
  RATE_LIMITS: flag('1'),
  TRUST_PROXY: whole(0, 8, 0, 'the number of proxies before the server,'),
  DRAIN_SECONDS: whole(0, 60, 3, 'a number of seconds'),
  PRODUCT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z0-9-]{1,32}$/, 'small letters, digits and hyphens'),
      v.check(
        (product) => !takenProducts.includes(product),
        'a name that the server does not use for its own addresses',
      ),
    ),
    'cashier',
  ),
  WIDGET_DIR: text,
  VIDEO_ORIGINS: origins('https://player.vimeo.com'),
  SANDBOX_URL: baseAddress,
  RATES_URL: address(),
  RATE_STALE_AFTER: whole(1, 86_400, 300, 'a number of seconds'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseAddress,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address(),
  OTEL_TRACES_SAMPLER: oneOf(samplers, 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: text,
  OTEL_SDK_DISABLED: text,
  OTEL_TRACES_EXPORTER: text,
});

/** The settings, and the rules between two of them. */
const settingsSchema = v.pipe(
  settings,
  v.forward(
    v.partialCheck(
      [['GEETEST_CAPTCHA_ID'], ['GEETEST_KEY']],
      (set) => (set.GEETEST_CAPTCHA_ID === undefined) === (set.GEETEST_KEY === undefined),
      'set together with GEETEST_CAPTCHA_ID',
    ),
    ['GEETEST_KEY'],
  ),
  v.forward(
    v.partialCheck(
      [['STRIPE_SECRET_KEY'], ['STRIPE_WEBHOOK_SECRET']],
      (set) => (set.STRIPE_SECRET_KEY === undefined) === (set.STRIPE_WEBHOOK_SECRET.length === 0),
      'set together with STRIPE_SECRET_KEY',
    ),
    ['STRIPE_WEBHOOK_SECRET'],
  ),
  v.forward(
    v.partialCheck(
      [['OTEL_TRACES_SAMPLER'], ['OTEL_TRACES_SAMPLER_ARG']],
      (set) => !set.OTEL_TRACES_SAMPLER.endsWith('traceidratio') || isShare(set.OTEL_TRACES_SAMPLER_ARG ?? '1'),
      'a number from 0 to 1',
    ),
    ['OTEL_TRACES_SAMPLER_ARG'],
  ),
);

function isShare(value: string): boolean {
  return Number(value) >= 0 && Number(value) <= 1;
}

export type Settings = v.InferOutput<typeof settingsSchema>;

/** The names of all settings except `CHAIN_KEY_…` and `PROVIDER_KEY_…`, which the files of chains and providers name. */
export const settingNames: ReadonlySet<string> = new Set(Object.keys(settings.entries));

/**
 * Reads every setting. An empty variable counts as not set.
 *
 * @returns the settings, or one line for each wrong one; no line repeats a value, which may be a secret
 */
export function readSettings(
  read: (name: string) => string | undefined,
): { readonly settings: Settings } | { readonly problems: readonly string[] } {
  const given = Object.fromEntries(
    [...settingNames].flatMap((name) => {
      const value = read(name)?.trim();
      return value ? [[name, value] as const] : [];
    }),
  );
  const parsed = v.safeParse(settingsSchema, given);
  if (parsed.success) return { settings: parsed.output };
  const { nested = {} } = v.flatten(parsed.issues);
  return { problems: Object.entries(nested).map(([name, found]) => `${name} must be ${found?.[0]}.`) };
}
