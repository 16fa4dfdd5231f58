/** Routes: which accounts take the deposits of a method, what was decided for each deposit, and how well the accounts answer (SRV-4). */
import * as v from 'valibot';
import { feeRuleSchema } from '../api/payment-method.ts';
import {
  countrySchema,
  currencySchema,
  decimalStringSchema,
  instantSchema,
  methodNameSchema,
  textSchema,
} from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  depositParams,
  shownCurrencySchema,
  shownMethodSchema,
  shownProviderSchema,
  shownStaffSchema,
  staffSchema,
} from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

const percentSchema = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));

/** What a provider charges in one currency. */
const routeCostSchema = v.strictObject({
  /** In the currency of the amount. @example "0.25" */
  fixed: feeRuleSchema.entries.fixed,
  /** Percent of the amount; below 100. @example "1.4" */
  percent: feeRuleSchema.entries.percent,
  /** The least cost, in the currency of the amount. @example "0.50" */
  min: feeRuleSchema.entries.min,
  /** The highest cost, in the currency of the amount. @example "20.00" */
  max: feeRuleSchema.entries.max,
});

/** The strategies of routes. */
export const routeStrategies = ['priority', 'volume', 'cost', 'currency', 'success-rate'] as const;

/** One account of a route. Exactly one of `connection` and `installation` names it. */
export const routeAccountSchema = v.strictObject({
  /** The operator's own connection, by its name or its id. @example "main" */
  connection: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'the name or the id of a connection')),
  ),
  /** The account of the installation at this provider. @example "stripe" */
  installation: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/, 'the name of a provider, such as stripe')),
  ),
  /** 1 is tried first. Absent: the place in the list. @example 1 */
  priority: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  /** Its share of the payments, in relation to those of the others. 0: only after the others. @example 70 */
  share: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), 1),
  /** What the provider charges you, by currency. A currency without an entry counts as the highest cost. */
  costs: v.optional(v.record(currencySchema, routeCostSchema)),
  /** The only currencies that go to the account. Absent: all that it takes. @example ["EUR"] */
  currencies: v.optional(v.pipe(v.array(currencySchema), v.minLength(1), v.maxLength(200))),
  /** The currencies that the account settles without a conversion. @example ["EUR"] */
  settles: v.optional(v.pipe(v.array(currencySchema), v.minLength(1), v.maxLength(200))),
  /** The only countries of payers that go to the account. Absent: all. @example ["DE"] */
  countries: v.optional(v.pipe(v.array(countrySchema), v.minLength(1), v.maxLength(300))),
  /** The amounts that go to the account, by currency. Absent: all that the method takes. */
  limits: v.optional(
    v.record(
      currencySchema,
      v.strictObject({
        /** The smallest amount. @example "20.00" */
        min: v.optional(decimalStringSchema),
        /** The largest amount. @example "500.00" */
        max: v.optional(decimalStringSchema),
      }),
    ),
  ),
  /** What the provider gets in place of the method's own options. Absent: the method's. @example {"flow": "redirect"} */
  options: v.optional(v.record(v.string(), textSchema)),
});
export type RouteAccount = v.InferOutput<typeof routeAccountSchema>;

/** How the deposits of one method are routed. */
export const routeSchema = v.strictObject({
  /**
   * `priority`: by priority, equal ones by their shares. `volume`: by the shares. `cost`: the cheapest first. `currency`: those that settle
   * the currency first. `success-rate`: those with the most accepted tries first.
   */
  strategy: v.picklist(routeStrategies),
  /** With `success-rate`: percent of the payments that begin with another account than the best. @example 5 */
  exploration: v.optional(percentSchema(20), 0),
  /** `true`: decisions are stored, and payments go where they would go without a route. */
  shadow: v.optional(v.boolean(), false),
  /** How many accounts one payment may try. @example 3 */
  mostTries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), 3),
  /** `stop`: a decline ends the payment. `next`: it goes on, unless the payer must change something first. */
  afterDecline: v.optional(v.picklist(['stop', 'next']), 'stop'),
  /** The accounts. At least one. */
  accounts: v.pipe(v.array(routeAccountSchema), v.minLength(1), v.maxLength(20)),
});
export type RouteSettings = v.InferOutput<typeof routeSchema>;

/**
 * The routes by method. A method that is not named has no route.
 * @example {"card_stripe": {"strategy": "priority", "exploration": 0, "shadow": false, "mostTries": 3, "afterDecline": "stop", "accounts": [{"connection": "main", "share": 1}, {"connection": "backup", "share": 1}]}}
 */
export const routesByMethodSchema = v.pipe(
  v.record(methodNameSchema, routeSchema),
  v.check((routes) => Object.keys(routes).length <= 100, 'at most 100 methods'),
);
export type RoutesByMethod = v.InferOutput<typeof routesByMethodSchema>;

/** The largest body of all routes, in bytes. */
const largestRoutes = 512 * 1024;

const changeEntries = {
  /** The `version` that the operator has read; 0 if there was none. A change based on an older version is refused. @example 3 */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  staff: staffSchema,
};

export const routesResponseSchema = v.object({
  /** Send it with the next change. @example 3 */
  version: v.number(),
  /** Who made the last change, and when. Absent: there was none. */
  changed: v.optional(v.object({ staff: shownStaffSchema, at: instantSchema })),
  /** Settings that may be a mistake. @example ["routes.card: the connection backup is disabled."] */
  warnings: v.array(v.string()),
  routes: routesByMethodSchema,
});
export type RoutesResponse = v.InferOutput<typeof routesResponseSchema>;

/** An account of a route, as staff see it. */
export const accountEntries = {
  provider: shownProviderSchema,
  /** The name of the connection. Absent: the account of the installation, or a connection that no longer exists. @example "main" */
  connection: v.optional(v.string()),
  /** The id of the connection. Absent: the account of the installation. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  connectionId: v.optional(v.string()),
};

export const listRoutes = defineEndpoint({
  id: 'list-routes',
  method: 'GET',
  path: '/routes',
  summary: 'The routes of the operator’s methods, and their version.',
  response: routesResponseSchema,
});

const staleVersion =
  '`state-conflict`: the routes have changed since you read `version`, or two enabled connections would cover one currency without a route.';

export const putRoutes = defineEndpoint({
  id: 'put-routes',
  method: 'PUT',
  path: '/routes',
  summary:
    'Replaces all routes. A method that is not named has no route. Every node applies the change within seconds. Payments in progress keep their account.',
  body: v.strictObject({
    ...changeEntries,
    routes: routesByMethodSchema,
  }),
  response: routesResponseSchema,
  errors: { 409: staleVersion },
  bodyLimitBytes: largestRoutes,
});

export const previewRoutes = defineEndpoint({
  id: 'preview-routes',
  method: 'POST',
  path: '/routes/preview',
  summary: 'Checks routes as `PUT /routes` does, and answers what they would change. Nothing is stored.',
  body: v.strictObject({
    routes: routesByMethodSchema,
  }),
  response: v.object({
    /** The present version. Send it with the change. @example 3 */
    version: v.number(),
    /** What the routes would change. Empty: nothing. */
    differences: v.array(
      v.object({
        /** The setting. @example "card.strategy" */
        path: v.string(),
        /** How it differs. @example "changed" */
        kind: v.picklist(['added', 'changed', 'removed']),
        /** The present value. Absent: it is added. @example "priority" */
        before: v.optional(v.unknown()),
        /** The value after the change. Absent: it is removed. @example "cost" */
        after: v.optional(v.unknown()),
      }),
    ),
    /** Settings that may be a mistake. @example ["routes.card: the connection backup is disabled."] */
    warnings: v.array(v.string()),
  }),
  errors: { 409: staleVersion },
  bodyLimitBytes: largestRoutes,
});

export const listRouteChanges = defineEndpoint({
  id: 'list-route-changes',
  method: 'GET',
  path: '/routes/changes',
  summary: 'All changes of the routes, with who made them and when. Newest first, page by page.',
  query: pageQuery,
  response: pageSchema({
    /** The changes, newest first. Each has all routes that were in force from then on. */
    changes: v.array(
      v.object({
        /** The number of the change. @example 3 */
        version: v.number(),
        staff: shownStaffSchema,
        /** When the change was made. */
        at: instantSchema,
        routes: routesByMethodSchema,
      }),
    ),
  }),
});

/** `well`: used as the strategy says. `demoted`: tried after all others. `probing`: a small share of the payments tries it. */
const phaseSchema = v.picklist(['well', 'demoted', 'probing']);

export const accountHealthSchema = v.object({
  ...accountEntries,
  phase: phaseSchema,
  /** The remembered tries, at most 50. @example 50 */
  tries: v.number(),
  /** How many of them the provider accepted. @example 47 */
  accepted: v.number(),
  /** Until then it is tried after all others. Absent: it is not demoted. */
  demotedUntil: v.optional(instantSchema),
});
export type AccountHealthView = v.InferOutput<typeof accountHealthSchema>;

export const readRouteHealth = defineEndpoint({
  id: 'read-route-health',
  method: 'GET',
  path: '/routes/health',
  summary: 'How well the accounts of the routes answer. Nodes write it within five seconds.',
  response: v.object({
    /** The accounts that routes name, in the order of the routes. */
    accounts: v.array(accountHealthSchema),
  }),
});

export const routingDecisionSchema = v.object({
  /** Whose payment this decision routed. @example "01900000-0000-7000-8000-000000000001" */
  depositId: v.string(),
  /** When it was created. */
  at: instantSchema,
  method: shownMethodSchema,
  /** The version of the routes that decided. @example 3 */
  version: v.number(),
  strategy: v.picklist(routeStrategies),
  /** `true`: the decision was stored only. */
  shadow: v.boolean(),
  currency: shownCurrencySchema,
  amount: decimalStringSchema,
  /** The country of the payer. @example "DE" */
  country: v.string(),
  /** What each choice that looks random was made of. @example "01900000-0000-7000-8000-000000000001" */
  seed: v.string(),
  /** The accounts in the order in which they were to be tried. */
  order: v.array(
    v.object({
      ...accountEntries,
      /** What placed it there. `exploration` and `probe`: first, although the strategy says otherwise. @example "strategy" */
      because: v.picklist(['strategy', 'exploration', 'probe', 'silent', 'recovering', 'demoted']),
      /** The estimated cost of the payment, in its currency. Absent: it is not known. @example "0.60" */
      cost: v.optional(decimalStringSchema),
      /** The estimated share of tries that are accepted. @example 0.94 */
      successRate: v.number(),
      phase: phaseSchema,
      /** The remembered tries at that time. @example 50 */
      tries: v.number(),
    }),
  ),
  /** The accounts that could not take the payment. */
  rejected: v.array(
    v.object({
      ...accountEntries,
      /** The rule that ruled the account out, such as its currency or its health. @example "currency" */
      because: v.picklist([
        'disabled',
        'other-mode',
        'not-set-up',
        'currency',
        'own-account',
        'no-connection',
        'country',
        'amount-min',
        'amount-max',
      ]),
    }),
  ),
  /** Whether this build decides the same again from the stored facts. */
  isReplayedAlike: v.boolean(),
});
export type RoutingDecisionView = v.InferOutput<typeof routingDecisionSchema>;

export const readRoutingDecision = defineEndpoint({
  id: 'read-routing-decision',
  method: 'GET',
  path: '/routes/decisions/{depositId}',
  summary:
    'Why a deposit went to its account: the order of the accounts, the reasons, and a replay from the stored facts.',
  params: depositParams,
  response: routingDecisionSchema,
  errors: { 404: '`not-found`: the deposit had no route, or its decision is older than 13 months.' },
});
