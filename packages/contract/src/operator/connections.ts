/** Connections: an operator's own accounts at providers, with their secrets (SRV-4). No answer ever contains a secret. */
import * as v from 'valibot';
import { currencySchema, instantSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownProviderSchema, staffSchema } from './fields.ts';

/** `test`: no real money moves. */
export const connectionModes = ['test', 'live'] as const;

/** What the operator calls the connection. @example "main" */
export const connectionNameSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dots and hyphens'),
);

/** The name of a provider that has connections. @example "stripe" */
const providerNameSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9-]{0,31}$/, 'the name of a provider, such as stripe'),
);

/** At most as many as an account has settings. */
const mostValues = 20;

/** The secrets by name, such as `secretKey`. docs/connections.md lists those of each provider. @example {"secretKey": "sk_live_…"} */
const secretsSchema = v.pipe(
  v.record(v.pipe(v.string(), v.regex(/^[a-z][A-Za-z0-9]{0,31}$/)), v.pipe(v.string(), v.maxLength(4096))),
  v.check((secrets) => Object.keys(secrets).length <= mostValues, 'at most 20 values'),
);

/** What is no secret, by name. @example {"productName": "Chips"} */
const optionsSchema = v.pipe(
  v.record(v.pipe(v.string(), v.regex(/^[a-z][A-Za-z0-9]{0,31}$/)), v.pipe(v.string(), v.maxLength(500))),
  v.check((options) => Object.keys(options).length <= mostValues, 'at most 20 values'),
);

/** The currencies that the account takes. Null: every currency. */
const currenciesSchema = v.nullable(v.pipe(v.array(currencySchema), v.minLength(1), v.maxLength(200)));

/** Why the calls of an account run apart. */
export const quarantineStates = ['suspected', 'proven', 'off'] as const;

/** The results of a test call. */
export const connectionTestResults = ['accepted', 'refused', 'may-not-read', 'unreachable'] as const;

/** Calls that run apart from those of other operators, because the process of the provider's package crashed with them. */
const quarantineSchema = v.object({
  /**
   * `suspected`: in a process of their own, which works. `proven`: in a process of their own, which crashed, too. `off`: refused, while
   * other operators' calls crash.
   */
  state: v.picklist(quarantineStates),
  /** How often the process of their own crashed. @example 2 */
  crashes: v.pipe(v.number(), v.integer(), v.minValue(0)),
  since: instantSchema,
  /** When it ends, if nothing crashes. */
  until: instantSchema,
});

export const connectionSchema = v.object({
  /** The id of the connection. It is also a part of `callbackUrl`. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  connectionId: v.pipe(v.string(), v.uuid()),
  name: connectionNameSchema,
  provider: shownProviderSchema,
  mode: v.picklist(connectionModes),
  currencies: currenciesSchema,
  /** Whether new payments use the connection. Payments that have begun keep it, also when it is switched off. */
  isEnabled: v.boolean(),
  options: optionsSchema,
  /** What may be shown of each secret. */
  secrets: v.array(
    v.object({
      /** The key under which the secret was given. @example "secretKey" */
      name: v.string(),
      /** Its last four characters. @example "4eC3" */
      lastFour: v.string(),
      /** The first 12 hexadecimal digits of its SHA-256. @example "9f86d081884c" */
      fingerprint: v.string(),
      /** When it was set. */
      set: instantSchema,
    }),
  ),
  /** Until then callbacks may also be signed with an old secret. Each has its own time; this is the latest. Absent: they may not. */
  oldSecretsUntil: v.optional(instantSchema),
  /** The address that the provider must send its callbacks to. @example "https://pay.example.com/providers/stripe/9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01/callbacks" */
  callbackUrl: v.string(),
  /** The last test call since the secrets were set. Absent: there was none. */
  lastTest: v.optional(v.object({ at: instantSchema, result: v.picklist(connectionTestResults) })),
  /** Absent: its calls run with those of others. Only the list and the reading of a connection have it. */
  quarantine: v.optional(quarantineSchema),
  /** When the connection was made. */
  created: instantSchema,
  /** When it was changed last. */
  changed: instantSchema,
});
export type ConnectionView = v.InferOutput<typeof connectionSchema>;

export const connectionListSchema = v.object({
  /** The operator's own connections, in the order in which they were made. */
  connections: v.array(connectionSchema),
  /** The accounts in the settings of the server. They serve operators that have never enabled a connection to the provider. */
  installation: v.array(
    v.object({
      provider: shownProviderSchema,
      /** Whether new payments of this operator use the account. */
      isUsed: v.boolean(),
      /** Of this operator's calls there. Absent: they run with those of others. */
      quarantine: v.optional(quarantineSchema),
    }),
  ),
});
export type ConnectionList = v.InferOutput<typeof connectionListSchema>;

const connectionParams = v.strictObject({
  /** The `connectionId`. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  connectionId: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
});

/** The member of staff who makes the change, by the operator's own name; stored in the history. */
const staff = v.optional(staffSchema);

export const newConnectionSchema = v.strictObject({
  provider: providerNameSchema,
  name: connectionNameSchema,
  mode: v.picklist(connectionModes),
  currencies: v.optional(currenciesSchema, null),
  options: v.optional(optionsSchema, {}),
  secrets: secretsSchema,
  staff,
});
export type NewConnection = v.InferOutput<typeof newConnectionSchema>;

/** A field that is absent keeps its value. */
export const connectionChangeSchema = v.strictObject({
  name: v.optional(connectionNameSchema),
  currencies: v.optional(currenciesSchema),
  /** Replaces all options. */
  options: v.optional(optionsSchema),
  /** `true`: new payments use the connection. `false`: none does, and none goes to the account of the installation. */
  isEnabled: v.optional(v.boolean()),
  staff,
});
export type ConnectionChange = v.InferOutput<typeof connectionChangeSchema>;

export const newSecretsSchema = v.strictObject({
  /** The new secrets. A name that is absent keeps its value. */
  secrets: secretsSchema,
  /** For how many hours callbacks may still be signed with the values before. Old values of other names keep their time. 0: all old ones are forgotten at once. */
  oldSecretsHours: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(720)), 24),
  staff,
});
export type NewSecrets = v.InferOutput<typeof newSecretsSchema>;

const notFound = '`not-found`: the operator has no such connection.';

export const listConnections = defineEndpoint({
  id: 'list-connections',
  method: 'GET',
  path: '/connections',
  summary: 'The operator’s own accounts at providers, without their secrets, and the accounts of the installation.',
  response: connectionListSchema,
});

export const createConnection = defineEndpoint({
  id: 'create-connection',
  method: 'POST',
  path: '/connections',
  summary: 'Adds a connection, switched off. Its secrets are sealed, and no answer ever contains them.',
  body: newConnectionSchema,
  response: connectionSchema,
  errors: {
    409: '`state-conflict`: the name is taken, the operator has too many connections, or the server has no master key.',
  },
});

export const readConnection = defineEndpoint({
  id: 'read-connection',
  method: 'GET',
  path: '/connections/{connectionId}',
  summary: 'One connection, without its secrets.',
  params: connectionParams,
  response: connectionSchema,
  errors: { 404: notFound },
});

export const updateConnection = defineEndpoint({
  id: 'update-connection',
  method: 'PATCH',
  path: '/connections/{connectionId}',
  summary:
    'Changes the fields that the body names, or switches the connection on or off. Every node applies it within seconds. Each change is recorded.',
  params: connectionParams,
  body: connectionChangeSchema,
  response: connectionSchema,
  errors: {
    404: notFound,
    409: '`state-conflict`: the name is taken, another enabled connection covers a currency, or the mode is not that of the server.',
  },
});

export const rotateConnection = defineEndpoint({
  id: 'rotate-connection',
  method: 'POST',
  path: '/connections/{connectionId}/secrets',
  summary:
    'Replaces secrets. New requests use the new ones at once. Callbacks may be signed with the old ones until `oldSecretsHours` are over.',
  params: connectionParams,
  body: newSecretsSchema,
  response: connectionSchema,
  errors: {
    404: notFound,
    409: '`state-conflict`: the server cannot open or seal the secrets, because its master key is missing.',
  },
});

export const connectionTestSchema = v.object({
  result: v.picklist(connectionTestResults),
  /** What it means and what to do. @example "Stripe accepts the key." */
  message: v.string(),
});
export type ConnectionTest = v.InferOutput<typeof connectionTestSchema>;

export const testConnection = defineEndpoint({
  id: 'test-connection',
  method: 'POST',
  path: '/connections/{connectionId}/test',
  summary: 'Asks the provider whether it accepts the secrets, by a request that moves no money.',
  params: connectionParams,
  response: connectionTestSchema,
  errors: {
    404: notFound,
    409: '`state-conflict`: the server cannot open the secrets, because its master key is missing.',
  },
});
