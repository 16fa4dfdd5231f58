/**
 * Fields that a provider asks for with "I have paid" (`inputFields` of its answer, DEP-5). An example is the owner of
 * the paying account. The stored answer defines the fields. The values are checked by the form's rules, stored until
 * the provider has them, and then deleted. They credit nothing.
 */

import { validInputs } from '../catalogue/method-form.ts';
import { DomainError } from '../errors/domain-error.ts';
import { withinTime } from '../jobs/within-time.ts';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { ProviderInputResult } from '../providers/provider.ts';
import { type DepositRow, idAtProvider } from './deposit-row.ts';
import { lockDeposit } from './deposit-store.ts';
import type { PaidClaim } from './payments.ts';

type Inputs = Readonly<Record<string, string>>;

const SEND_TIMEOUT_MS = 10_000;
/** Seconds until the values are sent again to a provider that did not answer. */
const RETRY_S = 10;
const CONFIRMATION_ID = 'confirmationId';

/**
 * The checked values of the asked fields; undefined when the provider asks nothing, or the deposit no longer waits.
 * @throws DomainError banking.paymentMethodRegex, naming the fields
 */
export function checkedInputs(core: PaymentsCore, row: DepositRow, claim: PaidClaim): Inputs | undefined {
  if (row.state !== 'awaiting_payment') return undefined;
  const fields = inputFieldsOf(row);
  const given = { ...claim.fields };
  // The call has its own property for the receipt number. The form may also have a field with this name.
  if (claim.confirmationId !== undefined && fields.some(({ name }) => name === CONFIRMATION_ID)) {
    given[CONFIRMATION_ID] ??= claim.confirmationId;
  }
  const checkLuhn = core.catalogue.started(row.operatorId, row.paymentMethod)?.checkLuhn;
  const inputs = validInputs({ fields, method: row.paymentMethod, checkLuhn }, given);
  return Object.keys(inputs).length === 0 ? undefined : inputs;
}

/** Peer-to-peer deposits have no such fields; the widget's own page asks. */
function inputFieldsOf({ request, response }: DepositRow) {
  return request.isP2p === true ? [] : (response?.apiResponse.data?.inputFields ?? []);
}

/** Stores the values in place of older ones, committed before the provider gets them. */
export async function storeInputs(core: PaymentsCore, row: DepositRow, inputs: Inputs): Promise<DepositRow> {
  return core.database.transaction(async (transaction) => {
    const now = await lockDeposit(transaction, row);
    if (now?.state !== 'awaiting_payment') return row;
    await transaction.query({
      name: 'deposit-inputs-store',
      text: `update deposit set request = jsonb_set(request, '{inputs}', $2::jsonb),
          check_at = least(check_at, now() + make_interval(secs => $3)) where operator_id = $4 and id = $1`,
      values: [row.id, JSON.stringify(inputs), RETRY_S, row.operatorId],
    });
    return { ...now, request: { ...now.request, inputs } };
  });
}

/**
 * Sends the stored values to the provider. If the provider does not answer, the reconciler sends them later.
 * @throws DomainError banking.paymentMethodRegex when the provider refuses a value
 */
export async function sendInputs(core: PaymentsCore, row: DepositRow): Promise<void> {
  const { inputs } = row.request;
  if (inputs === undefined) return;
  const result = await askProvider(core, row, inputs);
  if (result.kind === 'silent') return;
  await core.database.query({
    name: 'deposit-inputs-sent',
    // Keeps newer values that the user has entered meanwhile.
    text: `update deposit set request = request - 'inputs'
      where operator_id = $3 and id = $1 and request -> 'inputs' = $2::jsonb`,
    values: [row.id, JSON.stringify(inputs), row.operatorId],
  });
  if (result.kind === 'taken') return;
  const fields = result.fields.filter((name) => name in inputs);
  throw new DomainError('banking.paymentMethodRegex', 'The provider did not accept the value of a field', {
    fields: fields.map((name) => ({ path: `fields.${name}`, message: 'refused by the provider' })),
  });
}

/** Sends stored values in the background. The user has left, so a refusal is only logged. */
export async function resendInputs(core: PaymentsCore, row: DepositRow): Promise<void> {
  try {
    await sendInputs(core, row);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    core.logger.warn({ depositId: row.id, provider: row.provider }, 'provider refused the inputs');
  }
}

/** Calls the provider. Never throws: without an answer the result is `silent`. */
async function askProvider(
  core: PaymentsCore,
  row: DepositRow,
  fields: Inputs,
): Promise<ProviderInputResult | { readonly kind: 'silent' }> {
  const provider = await providerOf(core, row);
  if (provider === undefined || row.providerRef === null) return { kind: 'silent' };
  if (provider.takeInputs === undefined) {
    core.logger.error(
      { depositId: row.id, provider: row.provider },
      'provider asks for fields, but its code has no takeInputs',
    );
    return { kind: 'taken' };
  }
  const answer = provider
    .takeInputs({ depositId: idAtProvider(row), providerRef: row.providerRef, fields })
    .catch((error: unknown) => {
      core.logger.warn({ depositId: row.id, provider: row.provider, err: error }, 'provider did not answer the inputs');
      return { kind: 'silent' } as const;
    });
  return withinTime<Awaited<typeof answer>>(core.clock, SEND_TIMEOUT_MS, answer, () => ({ kind: 'silent' }));
}
