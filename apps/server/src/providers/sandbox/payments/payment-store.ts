/** The sandbox's payments in SQL. */
import { type Batch, batchesOfLane, createBatches } from '../../../database/batches.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import type { Change, Fact, SandboxPayment } from './payment.ts';

export interface PaymentStore {
  /**
   * Stores a new payment. Returns the stored one where the deposit id already has a payment.
   * @param merchant the operator whose user pays
   */
  create(merchant: string, change: Change): Promise<{ readonly payment: SandboxPayment; readonly isNew: boolean }>;
  find(key: { readonly ref: string } | { readonly depositId: string }): Promise<SandboxPayment | undefined>;
  /** Stores what the payer typed. It replaces earlier inputs. */
  keepInputs(ref: string, inputs: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Changes a payment under a row lock, so that exactly one of two simultaneous choices counts. The new callbacks replace the
   * unsent ones.
   * @param change returns undefined to leave the payment as it is
   * @returns the payment as it is now, and whether it was changed. Undefined when there is none
   */
  change(
    ref: string,
    change: (payment: SandboxPayment) => Change | undefined,
  ): Promise<{ readonly payment: SandboxPayment; readonly isChanged: boolean } | undefined>;
}

interface PaymentRow {
  readonly ref: string;
  readonly deposit_id: string;
  readonly payment_method: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly return_url: string;
  readonly flow: SandboxPayment['flow'];
  readonly network: string | null;
  readonly coin: string | null;
  readonly scenario: string;
  readonly form_token: string;
  readonly decision: NonNullable<SandboxPayment['decision']> | null;
  readonly facts: readonly StoredFact[];
  readonly inputs: Readonly<Record<string, string>> | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** JSON has no bigint. */
type StoredFact = Omit<Fact, 'paidMinor'> & { readonly paidMinor?: string };

const COLUMNS =
  'ref, deposit_id, payment_method, amount_minor, currency, return_url, scenario, form_token, decision, facts, created_at, expires_at, flow, network, coin, inputs';

/**
 * Stores payments with their callbacks in one statement, because every deposit waits for it. The commit does not wait for the disk.
 * PostgreSQL writes its log in order, so the cashier's next commit, which stores the answer, also makes this one durable. A crash
 * before that loses a payment that the cashier has not answered yet, and the same deposit id creates it again.
 */
const CREATE = `
  with payment as (
    insert into sandbox_payment (${COLUMNS}, account)
    select ref, deposit_id, payment_method, amount_minor, currency, return_url, scenario, form_token, null, facts, created_at,
      expires_at, flow, network, coin, null, account
    from json_to_recordset($1::json)
      as asked(ref text, deposit_id uuid, payment_method text, amount_minor bigint, currency text, return_url text, scenario text,
        form_token text, facts jsonb, created_at timestamptz, expires_at timestamptz, flow text, network text, coin text, account uuid)
    order by deposit_id
    on conflict (deposit_id) do nothing
    returning ref
  ), callbacks as (
    insert into sandbox_callback (ref, event_id, body, is_forged, due_at)
    select ref, one.event_id, one.body, one.is_forged, one.due_at
    from payment join json_to_recordset($2::json)
      as one(ref text, event_id text, body text, is_forged boolean, due_at timestamptz) using (ref)
  )
  select ref, set_config('synchronous_commit', 'off', true) from payment`;

const INSERT_CALLBACKS = `
  insert into sandbox_callback (ref, event_id, body, is_forged, due_at)
  select ref, event_id, body, is_forged, due_at
  from jsonb_to_recordset($1::jsonb) as one(ref text, event_id text, body text, is_forged boolean, due_at timestamptz)`;

export function createPaymentStore(database: Database): PaymentStore {
  const insert = createBatches({
    run: (created) => insertPayments(database, created),
    laneOf: ({ merchant }: Created) => merchant,
    mostOfLane: batchesOfLane(database),
  });
  return {
    async create(merchant, change) {
      const { payment } = change;
      if (await insert({ merchant, change })) return { payment, isNew: true };
      const existing = await select(database, 'deposit_id', payment.depositId);
      if (existing === undefined) throw new Error(`The sandbox lost the payment of deposit ${payment.depositId}`);
      return { payment: existing, isNew: false };
    },

    find: (key) => ('ref' in key ? select(database, 'ref', key.ref) : select(database, 'deposit_id', key.depositId)),

    async keepInputs(ref, inputs) {
      await database.query({
        name: 'sandbox-inputs',
        text: 'update sandbox_payment set inputs = $2 where ref = $1',
        values: [ref, JSON.stringify(inputs)],
      });
    },

    change: (ref, change) =>
      database.transaction(async (transaction) => {
        const before = await select(transaction, 'ref', ref, 'for update');
        if (before === undefined) return undefined;
        const changed = change(before);
        if (changed === undefined) return { payment: before, isChanged: false };
        await transaction.query({
          text: 'update sandbox_payment set decision = $2, facts = $3 where ref = $1',
          values: [ref, changed.payment.decision ?? null, JSON.stringify(storedFacts(changed.payment.facts))],
        });
        await transaction.query({
          text: `delete from sandbox_callback
            where ref = $1 and finished_at is null and attempts = 0 and event_id <> all($2::text[])`,
          values: [ref, changed.keptFacts ?? []],
        });
        await transaction.query({ text: INSERT_CALLBACKS, values: [callbacksToJson([changed])] });
        return { payment: changed.payment, isChanged: true };
      }),
  };
}

interface Created {
  readonly merchant: string;
  readonly change: Change;
}

/** Answers for each payment whether it is new. */
async function insertPayments(database: Database, created: Batch<Created>): Promise<boolean[]> {
  const changes = created.map(({ change }) => change);
  const inserted = await database.query<{ ref: string }>({
    name: 'sandbox-create',
    text: CREATE,
    values: [JSON.stringify(changes.map(({ payment }) => paymentToJson(payment))), callbacksToJson(changes)],
  });
  const refs = new Set(inserted.map(({ ref }) => ref));
  return changes.map(({ payment }) => refs.has(payment.ref));
}

/** The columns of a new payment. JSON has no bigint. */
function paymentToJson(payment: SandboxPayment): object {
  return {
    ref: payment.ref,
    account: payment.account,
    deposit_id: payment.depositId,
    payment_method: payment.paymentMethod,
    amount_minor: payment.amountMinor.toString(),
    currency: payment.currency,
    return_url: payment.returnUrl,
    scenario: payment.scenario,
    form_token: payment.formToken,
    facts: storedFacts(payment.facts),
    created_at: new Date(payment.createdAt).toISOString(),
    expires_at: new Date(payment.expiresAt).toISOString(),
    flow: payment.flow,
    network: payment.network,
    coin: payment.coin,
  };
}

async function select(
  queryable: Queryable,
  column: 'ref' | 'deposit_id',
  value: string,
  lock: '' | 'for update' = '',
): Promise<SandboxPayment | undefined> {
  const [row] = await queryable.query<PaymentRow>({
    text: `select ${COLUMNS} from sandbox_payment where ${column} = $1 ${lock}`,
    values: [value],
  });
  return row === undefined ? undefined : toPayment(row);
}

function toPayment(row: PaymentRow): SandboxPayment {
  return {
    ref: row.ref,
    depositId: row.deposit_id,
    paymentMethod: row.payment_method,
    amountMinor: row.amount_minor,
    currency: row.currency,
    returnUrl: row.return_url,
    flow: row.flow,
    ...(row.network !== null && { network: row.network }),
    ...(row.coin !== null && { coin: row.coin }),
    scenario: row.scenario,
    formToken: row.form_token,
    ...(row.decision === null ? {} : { decision: row.decision }),
    facts: row.facts.map(({ paidMinor, ...fact }) =>
      paidMinor === undefined ? fact : { ...fact, paidMinor: BigInt(paidMinor) },
    ),
    ...(row.inputs === null ? {} : { inputs: row.inputs }),
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  };
}

function storedFacts(facts: readonly Fact[]): readonly StoredFact[] {
  return facts.map(({ paidMinor, ...fact }) =>
    paidMinor === undefined ? fact : { ...fact, paidMinor: paidMinor.toString() },
  );
}

function callbacksToJson(changes: readonly Pick<Change, 'payment' | 'callbacks'>[]): string {
  return JSON.stringify(
    changes.flatMap(({ payment: { ref }, callbacks }) =>
      callbacks.map(({ eventId, body, isForged, dueAt }) => ({
        ref,
        event_id: eventId,
        body,
        is_forged: isForged,
        due_at: new Date(dueAt).toISOString(),
      })),
    ),
  );
}
