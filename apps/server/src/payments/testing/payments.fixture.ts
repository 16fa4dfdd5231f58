/** A scripted provider, a small catalogue, and payments over them. */

import { randomUUID } from 'node:crypto';
import type { depositCreate, ParsedRequestOf } from '@opencashier/contract/api';
import { systemClock } from '@opencashier/core/time/clock';
import { createBonuses } from '../../bonuses/bonuses.ts';
import type { Catalogue, CatalogueMethod } from '../../catalogue/catalogue.ts';
import type { Database } from '../../database/database.ts';
import type { CreateDeposit } from '../../deposits/payments.ts';
import type { Caller } from '../../operators/caller.ts';
import type { PaymentsOptions } from '../../payment-ports/payments-core.ts';
import { createPayments } from '../../payment-service/create-payments.ts';
import type {
  DepositReport,
  Provider,
  ProviderCreateResult,
  ProviderDeposit,
  ProviderRefund,
  RawCallback,
} from '../../providers/provider.ts';
import type {
  ProviderWithdrawal,
  ProviderWithdrawResult,
  WithdrawalProvider,
  WithdrawalReport,
} from '../../providers/withdrawal-provider.ts';
import { createDataKeys } from '../../sealing/data-keys.ts';

export interface FakeProvider extends Provider {
  /** Every create call, retries included. */
  readonly creates: ProviderDeposit[];
  readonly cancels: string[];
  /** The inputs of each call of `takeInputs`. */
  readonly inputs: Readonly<Record<string, string>>[];
  onInputs: NonNullable<Provider['takeInputs']>;
  /** The answer to create calls; default: created, with a payment page. */
  onCreate: (deposit: ProviderDeposit) => Promise<ProviderCreateResult>;
  onInquire: Provider['inquire'];
  /** Every refund call, retries included. */
  readonly refunds: ProviderRefund[];
  onRefund: NonNullable<Provider['refund']>;
  /** Every withdraw call, retries included. */
  readonly withdraws: ProviderWithdrawal[];
  onWithdraw: (withdrawal: ProviderWithdrawal) => Promise<ProviderWithdrawResult>;
  onInquireWithdrawal: WithdrawalProvider['inquire'];
}

/** The provider's reference, made from our id, like at a provider that uses the id as its idempotency key. */
export const refOf = (depositId: string): string => `ref-${depositId}`;

export function createFakeProvider(name = 'fake'): FakeProvider {
  const creates: ProviderDeposit[] = [];
  const cancels: string[] = [];
  const inputs: FakeProvider['inputs'] = [];
  const withdraws: ProviderWithdrawal[] = [];
  const refunds: ProviderRefund[] = [];
  const provider: FakeProvider = {
    name,
    creates,
    cancels,
    onCreate: async (deposit) => ({
      kind: 'created',
      providerRef: refOf(deposit.depositId),
      source: `https://pay.example/${deposit.depositId}`,
    }),
    onInquire: async () => undefined,
    refunds,
    onRefund: async () => ({ kind: 'accepted', isDone: false }),
    refund(asked) {
      refunds.push(asked);
      return provider.onRefund(asked);
    },
    inputs,
    onInputs: async () => ({ kind: 'taken' }),
    takeInputs(query) {
      inputs.push(query.fields);
      return provider.onInputs(query);
    },
    withdraws,
    onWithdraw: async ({ withdrawalId }) => ({ kind: 'accepted', providerRef: refOf(withdrawalId) }),
    onInquireWithdrawal: async () => undefined,
    withdrawals: {
      withdraw(withdrawal) {
        withdraws.push(withdrawal);
        return provider.onWithdraw(withdrawal);
      },
      inquire: (query) => provider.onInquireWithdrawal(query),
      read(rawBody) {
        const { paidMinor, ...rest }: Omit<WithdrawalReport, 'paidMinor'> & { paidMinor?: string } = JSON.parse(
          new TextDecoder().decode(rawBody),
        );
        if (rest.withdrawalId === undefined) return undefined;
        return paidMinor === undefined ? rest : { ...rest, paidMinor: BigInt(paidMinor) };
      },
    },
    create(deposit) {
      creates.push(deposit);
      return provider.onCreate(deposit);
    },
    inquire: (query) => provider.onInquire(query),
    verify: ({ headers }) =>
      headers['x-signature'] === 'good'
        ? { kind: 'verified', messageId: headers['x-id'] ?? '' }
        : { kind: 'rejected', reason: 'signature' },
    read(rawBody) {
      const { paidMinor, ...rest } = JSON.parse(new TextDecoder().decode(rawBody));
      return paidMinor === undefined ? rest : { ...rest, paidMinor: BigInt(paidMinor) };
    },
    async cancel({ providerRef }) {
      cancels.push(providerRef);
    },
  };
  return provider;
}

export function callbackOf(
  report: DepositReport | WithdrawalReport,
  id = report.eventId,
  signature = 'good',
): RawCallback {
  const body = JSON.stringify(report, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));
  return {
    headers: { 'x-signature': signature, 'x-id': id },
    rawBody: new TextEncoder().encode(body),
    receivedAt: Date.now(),
  };
}

const method = (name: string, more: Partial<CatalogueMethod> = {}): CatalogueMethod => ({
  name,
  category: 'card',
  text: { en: name },
  position: 1,
  iconIds: [],
  amount_rules: { INR: { min: '100', max: '50000' }, USD: { min: '5', max: '500' } },
  fields: [],
  flags: {},
  provider: 'fake',
  countries: ['IN'],
  directions: ['deposit'],
  preparationFields: [],
  cardViewType: 0,
  ...more,
});

export function createFakeCatalogue(): Catalogue {
  const methods = [
    method('card', { sellsBoxes: true }),
    method('card_with_fee', { fees: { INR: { percent: '1.5', min: '10', max: '100' } } }),
    method('upi', {
      fields: [{ name: 'vpa', type: 'text', regex: '^[a-z0-9.]{2,30}@[a-z]{2,10}$' }],
    }),
    method('pix', {
      fields: [
        { name: 'pixKeyType', type: 'dropdown', values: ['cpf', 'email'].map((value) => ({ text: value, value })) },
        { name: 'cpf', type: 'text', regex: '^\\d{11}$' },
        { name: 'email', type: 'text', regex: '^.+@.+$' },
      ],
    }),
    method('phone', {
      fields: [
        {
          name: 'phone',
          type: 'phone_with_prefix',
          regex: '^\\d{10}$',
          countries: [{ name: 'India', code: 'IN', prefix: '+91', example: '9876543210' }],
        },
      ],
    }),
    method('prepared', { preparationFields: [{ name: 'bank', type: 'text', regex: '^[a-z]+$' }] }),
    method('coin', { isOpenAmount: true, sellsBoxes: true }),
    method('broken', { disabledReason: 'maintenance' }),
    method('payout_card', {
      directions: ['withdrawal'],
      fields: [{ name: 'cardNumber', type: 'text', regex: '^\\d{16}$' }],
      checkLuhn: true,
      fees: { INR: { fixed: '1.00', percent: '2.5' } },
    }),
    method('payout_bank', {
      directions: ['withdrawal'],
      fields: [
        { name: 'bank', type: 'dropdown', values: [{ text: 'Bank of Tests', value: '100000000008' }] },
        { name: 'accountNumber', type: 'text', regex: '^\\d{20}$' },
        { name: 'bic', type: 'text', regex: '^\\d{9}$' },
        { name: 'fullName', type: 'text', regex: '^.+$' },
      ],
    }),
    method('payout_pix', {
      directions: ['withdrawal'],
      fields: [
        { name: 'pixKeyType', type: 'dropdown', values: ['cpf', 'email'].map((value) => ({ text: value, value })) },
        { name: 'cpf', type: 'text', regex: '^\\d{11}$' },
        { name: 'email', type: 'text', regex: '^.+@.+$' },
      ],
    }),
    method('payout_coded', {
      directions: ['withdrawal'],
      fields: [{ name: 'cardNumber', type: 'text', regex: '^\\d{16}$' }],
      confirmationCode: { channel: 'sms' },
    }),
    method('redeem_usdt', {
      directions: ['withdrawal'],
      category: 'crypto',
      network: 'trc20',
      fields: [{ name: 'wallet', type: 'text', regex: '^T' }],
      amount_rules: { SC: { min: '10', max: '10000' } },
      fees: { SC: { fixed: '1.00' } },
      payoutCurrency: 'USDT',
    }),
    method('payout_coin', {
      directions: ['withdrawal'],
      category: 'crypto',
      network: 'trc20',
      fields: [{ name: 'wallet', type: 'text', regex: '^T' }],
      amount_rules: { INR: { min: '100', max: '50000' }, USDT: { min: '10', max: '5000' } },
      fees: { INR: { percent: '1' } },
      payoutCurrency: 'USDT',
    }),
    method('payout_usdt', {
      directions: ['withdrawal'],
      category: 'crypto',
      network: 'trc20',
      fields: [{ name: 'wallet', type: 'text', regex: '^T' }],
    }),
  ];
  return {
    countries: () => [],
    list: ({ country, currency }) => ({ country, currency, groups: [], methods: [] }),
    method: ({ name, currency, country }) =>
      methods.find(
        (candidate) =>
          candidate.name === name &&
          (currency === undefined || Object.hasOwn(candidate.amount_rules, currency)) &&
          (country === undefined || candidate.countries.includes(country)),
      ),
    started: (_operatorId, name) => methods.find((candidate) => candidate.name === name),
    ownIcon: () => undefined,
    isListInPage: () => true,
    version: () => 0,
    follow: async () => undefined,
  };
}

export const ann: Caller = { operatorId: 'op', partnerKey: 'pk', userId: 'ann', currency: 'INR', country: 'IN' };
export const bob: Caller = { ...ann, userId: 'bob' };

export function commandOf(
  request: Partial<ParsedRequestOf<typeof depositCreate>> = {},
  caller: Caller = ann,
): CreateDeposit {
  return {
    caller,
    language: 'en',
    signal: new AbortController().signal,
    request: {
      amount: '500',
      currency: 'INR',
      depositId: randomUUID(),
      fields: {},
      isActivatedBonus: false,
      paymentType: 'card',
      ...request,
    },
  };
}

/** The server's secret in these tests. */
export const SECRET = 'a secret of tests';

export interface RecordedLog {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: object;
}

export interface Bench {
  readonly provider: FakeProvider;
  readonly payments: ReturnType<typeof createPayments>;
  readonly pushes: { readonly userId: string; readonly name: string; readonly body: unknown }[];
  readonly logs: RecordedLog[];
}

export function createBench(database: Database, more: Partial<PaymentsOptions> = {}): Bench {
  const provider = createFakeProvider();
  const pushes: Bench['pushes'] = [];
  const logs: RecordedLog[] = [];
  const log =
    (level: RecordedLog['level']) =>
    (fields: object, message: string): void => {
      logs.push({ level, message, fields });
    };
  const payments = createPayments({
    database,
    clock: systemClock,
    catalogue: createFakeCatalogue(),
    bonuses: createBonuses(database, () => undefined),
    limitsOf: () => undefined,
    secret: SECRET,
    dataKeys: createDataKeys([SECRET]),
    captcha: { admit: async () => 'verified' },
    providers: new Map([[provider.name, provider]]),
    pusher: {
      push: (_operatorId, userId, name, body) => {
        pushes.push({ userId, name, body });
      },
    },
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
    returnUrlOf: (_operatorId, wanted) => wanted ?? 'https://cashier.example/return',
    allowInsecureWebhooks: true,
    ...more,
  });
  return { provider, payments, pushes, logs };
}

export async function seedOperator(database: Database, webhook?: { url: string; secrets: string[] }): Promise<void> {
  await database.query({
    text: `insert into operator (id, partner_key, name, webhook_url, webhook_secrets) values ('op', 'pk', 'Operator', $1, $2)
      on conflict (id) do update set webhook_url = excluded.webhook_url, webhook_secrets = excluded.webhook_secrets,
        webhook_disabled_at = null`,
    values: [webhook?.url ?? null, webhook?.secrets ?? []],
  });
}

let facts = 0;

/** A report about a deposit; by default that 500.00 INR were paid. */
export function reportOf(depositId: string, more: Partial<DepositReport> = {}): DepositReport {
  facts += 1;
  return {
    provider: 'fake',
    providerRef: refOf(depositId),
    depositId,
    outcome: 'paid',
    paidMinor: 50_000n,
    currency: 'INR',
    eventId: `event-${facts}`,
    at: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}
