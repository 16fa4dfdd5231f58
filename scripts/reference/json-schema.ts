/** Schemas of the contract as JSON Schema 2020-12, which OpenAPI 3.1 and AsyncAPI 3.0 both read. */
import * as api from '@opencashier/contract/api';
import * as operator from '@opencashier/contract/operator';
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { type Doc, docOf } from './contract-docs.ts';
import { type Components, described, exampleOf, type JsonSchema } from './describe.ts';

export type { JsonSchema };

/** What appears in many messages, by the name under which the pages describe it once, with the place of its comments. */
const named = {
  BankMessage: { schema: operator.bankMessageSchema, source: ['operator/payout-files.ts', 'bankMessageSchema'] },
  ApprovalSettings: {
    schema: operator.approvalSettingsSchema,
    source: ['operator/approvals.ts', 'approvalSettingsSchema'],
  },
  ApprovalThreshold: {
    schema: operator.approvalThresholdSchema,
    source: ['operator/approvals.ts', 'approvalThresholdSchema'],
  },
  Bonus: { schema: api.bonusSchema, source: ['api/bonus.ts', 'bonusSchema'] },
  BonusSettings: {
    schema: operator.bonusSettingsResponseSchema,
    source: ['operator/bonuses.ts', 'bonusSettingsResponseSchema'],
  },
  BoughtBox: { schema: api.boughtBoxSchema, source: ['api/transaction.ts', 'boughtBoxSchema'] },
  CallError: { schema: api.callErrorSchema, source: ['api/error.ts', 'callErrorSchema'] },
  Catalogue: { schema: operator.catalogueResponseSchema, source: ['operator/catalogue.ts', 'catalogueResponseSchema'] },
  CatalogueCountry: {
    schema: operator.countrySettingsSchema,
    source: ['operator/catalogue-settings.ts', 'countrySettingsSchema'],
  },
  CatalogueFee: { schema: operator.ownFeeSchema, source: ['operator/catalogue-settings.ts', 'ownFeeSchema'] },
  CatalogueField: { schema: operator.ownFieldSchema, source: ['operator/catalogue-settings.ts', 'ownFieldSchema'] },
  CatalogueFlags: { schema: operator.ownFlagsSchema, source: ['operator/catalogue-settings.ts', 'ownFlagsSchema'] },
  CatalogueGroup: {
    schema: operator.groupSettingsSchema,
    source: ['operator/catalogue-settings.ts', 'groupSettingsSchema'],
  },
  CatalogueMethod: {
    schema: operator.methodSettingsSchema,
    source: ['operator/catalogue-settings.ts', 'methodSettingsSchema'],
  },
  CodeRule: { schema: operator.codeRuleSchema, source: ['operator/settings.ts', 'codeRuleSchema'] },
  CoinBalance: { schema: operator.coinStateSchema, source: ['operator/coins.ts', 'coinStateSchema'] },
  CoinBox: { schema: operator.operatorBoxSchema, source: ['operator/coins.ts', 'operatorBoxSchema'] },
  Connection: { schema: operator.connectionSchema, source: ['operator/connections.ts', 'connectionSchema'] },
  DebtSettings: { schema: operator.debtSettingsSchema, source: ['operator/debts.ts', 'debtSettingsSchema'] },
  Delivery: { schema: operator.deliverySchema, source: ['operator/deliveries.ts', 'deliverySchema'] },
  DepositAttempt: {
    schema: operator.depositAttemptSchema,
    source: ['operator/transaction.ts', 'depositAttemptSchema'],
  },
  DepositData: { schema: api.depositDataSchema, source: ['api/deposit.ts', 'depositDataSchema'] },
  DepositEventData: { schema: operator.depositEventSchema, source: ['operator/webhooks.ts', 'depositEventSchema'] },
  DepositResponse: { schema: api.depositResponseSchema, source: ['api/deposit.ts', 'depositResponseSchema'] },
  FormField: { schema: api.formFieldSchema, source: ['api/form-field.ts', 'formFieldSchema'] },
  FoundPayment: { schema: operator.foundPaymentSchema, source: ['operator/payments.ts', 'foundPaymentSchema'] },
  FoundPayments: { schema: operator.lookupResponseSchema, source: ['operator/payments.ts', 'lookupResponseSchema'] },
  Instruction: { schema: api.instructionSchema, source: ['api/deposit.ts', 'instructionSchema'] },
  KnownWalletCall: {
    schema: operator.knownWalletCallSchema,
    source: ['operator/wallet-calls.ts', 'knownWalletCallSchema'],
  },
  LimitOverride: { schema: operator.limitOverrideSchema, source: ['operator/settings.ts', 'limitOverrideSchema'] },
  ListedTransaction: { schema: operator.transactionSchema, source: ['operator/transactions.ts', 'transactionSchema'] },
  MethodList: { schema: api.methodListSchema, source: ['api/payment-method.ts', 'methodListSchema'] },
  Money: { schema: operator.moneySchema, source: ['operator/fields.ts', 'moneySchema'] },
  OnrampOffer: { schema: api.onrampOfferSchema, source: ['api/deposit.ts', 'onrampOfferSchema'] },
  OperatorSettings: {
    schema: operator.operatorSettingsSchema,
    source: ['operator/settings.ts', 'operatorSettingsSchema'],
  },
  OwnBonus: { schema: operator.ownBonusSchema, source: ['operator/bonuses.ts', 'ownBonusSchema'] },
  OwnCatalogue: {
    schema: operator.ownCatalogueSchema,
    source: ['operator/catalogue-settings.ts', 'ownCatalogueSchema'],
  },
  PayeeCard: { schema: api.payeeCardSchema, source: ['api/deposit.ts', 'payeeCardSchema'] },
  PaymentGroup: { schema: api.paymentGroupSchema, source: ['api/payment-method.ts', 'paymentGroupSchema'] },
  PaymentJournal: { schema: operator.paymentJournalSchema, source: ['operator/payments.ts', 'paymentJournalSchema'] },
  PaymentMethod: { schema: api.paymentMethodSchema, source: ['api/payment-method.ts', 'paymentMethodSchema'] },
  PaymentRefund: { schema: operator.paymentRefundSchema, source: ['operator/payments.ts', 'paymentRefundSchema'] },
  PaymentReport: { schema: operator.paymentReportSchema, source: ['operator/payments.ts', 'paymentReportSchema'] },
  PaymentStep: { schema: operator.paymentStepSchema, source: ['operator/payments.ts', 'paymentStepSchema'] },
  Payout: { schema: api.payoutSchema, source: ['api/withdrawal.ts', 'payoutSchema'] },
  RedirectForm: { schema: api.redirectFormSchema, source: ['api/deposit.ts', 'redirectFormSchema'] },
  PayoutFile: { schema: operator.payoutFileSchema, source: ['operator/payout-files.ts', 'payoutFileSchema'] },
  Requisite: { schema: api.requisiteSchema, source: ['api/deposit.ts', 'requisiteSchema'] },
  Route: { schema: operator.routeSchema, source: ['operator/routes.ts', 'routeSchema'] },
  RouteAccount: { schema: operator.routeAccountSchema, source: ['operator/routes.ts', 'routeAccountSchema'] },
  Routes: { schema: operator.routesResponseSchema, source: ['operator/routes.ts', 'routesResponseSchema'] },
  RoutesByMethod: { schema: operator.routesByMethodSchema, source: ['operator/routes.ts', 'routesByMethodSchema'] },
  RoutingDecision: { schema: operator.routingDecisionSchema, source: ['operator/routes.ts', 'routingDecisionSchema'] },
  SandboxClock: { schema: operator.sandboxClockSchema, source: ['operator/sandbox-clock.ts', 'sandboxClockSchema'] },
  DayClose: { schema: operator.dayCloseSchema, source: ['operator/day-closes.ts', 'dayCloseSchema'] },
  DayTotals: { schema: operator.dayTotalsSchema, source: ['operator/day-closes.ts', 'dayTotalsSchema'] },
  SettlementFile: {
    schema: operator.settlementFileSchema,
    source: ['operator/settlements.ts', 'settlementFileSchema'],
  },
  SettlementBooking: { schema: operator.bookingSchema, source: ['operator/settlement-bookings.ts', 'bookingSchema'] },
  SettlementMapping: {
    schema: operator.settlementMappingSchema,
    source: ['operator/settlements.ts', 'settlementMappingSchema'],
  },
  StoredSettlementMapping: {
    schema: operator.mappingViewSchema,
    source: ['operator/settlements.ts', 'mappingViewSchema'],
  },
  SuggestedAmounts: {
    schema: operator.suggestedSchema,
    source: ['operator/catalogue-settings.ts', 'suggestedSchema'],
  },
  Texts: { schema: operator.textsResponseSchema, source: ['operator/texts.ts', 'textsResponseSchema'] },
  Transaction: { schema: api.transactionSchema, source: ['api/transaction.ts', 'transactionSchema'] },
  UserView: { schema: operator.userViewSchema, source: ['operator/user-controls.ts', 'userViewSchema'] },
  WithdrawalDecision: {
    schema: operator.decisionResponseSchema,
    source: ['operator/approvals.ts', 'decisionResponseSchema'],
  },
  WithdrawalEventData: {
    schema: operator.withdrawalEventSchema,
    source: ['operator/webhooks.ts', 'withdrawalEventSchema'],
  },
} as const satisfies Record<string, { schema: GenericSchema; source: readonly [string, string] }>;

const definitions: Record<string, GenericSchema> = Object.fromEntries(
  Object.entries(named).map(([name, { schema }]) => [name, schema]),
);
/** The parts that a caller writes as it gets them. The others have defaults or transformations. */
const writtenAlike = Object.fromEntries(
  Object.entries(definitions).filter(
    ([, schema]) => JSON.stringify(jsonSchema(schema, 'input')) === JSON.stringify(jsonSchema(schema, 'output')),
  ),
);

function jsonSchema(
  schema: GenericSchema,
  typeMode: 'input' | 'output',
  parts?: Readonly<Record<string, GenericSchema>>,
): JsonSchema {
  const references = parts && { definitions: parts, overrideRef };
  return bare(toJsonSchema(schema, { target: 'draft-2020-12', typeMode, errorMode: 'ignore', ...references }));
}

function overrideRef({ referenceId }: { readonly referenceId: string }): string {
  return `#/components/schemas/${referenceId}`;
}

/** What a caller may write, without references: for pages and files that have no {@link namedSchemas}. */
export function wholeRequestSchema(schema: GenericSchema): JsonSchema {
  return described(jsonSchema(schema, 'input'), {});
}

/** What a caller may write: defaults may be left out, transformations have not happened. */
export function requestSchema(schema: GenericSchema, doc: Doc = {}): JsonSchema {
  return described(jsonSchema(schema, 'input', writtenAlike), doc);
}

/** What a caller gets; common parts are references to {@link namedSchemas}. */
export function responseSchema(schema: GenericSchema, doc: Doc = {}): JsonSchema {
  return described(jsonSchema(schema, 'output', definitions), doc);
}

let known: Components | undefined;

/** For `components.schemas` of a page. */
export function namedSchemas(): Components {
  const options = { target: 'draft-2020-12', typeMode: 'output', errorMode: 'ignore' } as const;
  known ??= Object.fromEntries(
    Object.entries(toJsonSchemaDefs(definitions, { ...options, overrideRef })).map(([name, schema]) => {
      const [path, constant] = named[name as keyof typeof named].source;
      return [name, described(bare(schema), docOf(path, constant))];
    }),
  );
  return known;
}

/** The part of {@link namedSchemas} that messages of the socket can refer to. */
export function namedSchemasOfApi(): Components {
  const isOfApi = (name: string): boolean => named[name as keyof typeof named].source[0].startsWith('api/');
  return Object.fromEntries(Object.entries(namedSchemas()).filter(([name]) => isOfApi(name)));
}

/**
 * A whole message as the pages show it: its schema and an example.
 * @param ofMessage changes the example of the schema, whose parts may be those of many messages
 */
export function jsonContent(
  schema: JsonSchema,
  ofMessage: (example: unknown) => unknown = (example) => example,
): object {
  const example = ofMessage(exampleOf(schema, namedSchemas()));
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

/** The dialect is the page's own; the definitions stand in its components. */
function bare(schema: object): JsonSchema {
  const { $schema: _dialect, $defs: _definitions, ...rest } = schema as JsonSchema;
  return rest;
}

/** The properties of an object, each with whether it must be there. */
export function propertiesOf(schema: JsonSchema): { name: string; required: boolean; schema: JsonSchema }[] {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  return Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    required: required.has(name),
    schema: property,
  }));
}
