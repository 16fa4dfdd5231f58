/**
 * What a provider asks for beside "I have paid" (`inputFields` of its answer, DEP-5), such as whose account the money came
 * from. The stored answer says what is asked; it is checked by the rules that the form was drawn by, kept until the provider
 * has it, and then forgotten. It credits nothing.
 */
import { DomainError } from '../errors/domain-error.ts';
import { withinTime } from '../jobs/within-time.ts';
import { validInputs } from '../lifecycle/method-form.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import type { ProviderInputResult } from '../providers/provider.ts';
import type { DepositRow } from './deposit-row.ts';
import { lockDeposit } from './deposit-store.ts';
import type { SaidPaid } from './payments.ts';

type Inputs = Readonly<Record<string, string>>;

const TELL_TIMEOUT_MS = 10_000;
/** When a provider that could not be told is told again. */
const RETRY_S = 10;
const CONFIRMATION_ID = 'confirmationId';

/**
 * What the person said of what was asked; undefined when nothing is asked, or the deposit has moved on and nobody asks any more.
 * @throws DomainError banking.paymentMethodRegex, naming the fields
 */
export function askedInputs(core: PaymentsCore, row: DepositRow, said: SaidPaid): Inputs | undefined {
  if (row.state !== 'awaiting_payment') return undefined;
  const fields = inputFieldsOf(row);
  const given = { ...said.fields };
  // The number of the receipt has a place of its own in the call, and is an answer to a field of its name all the same.
  if (said.confirmationId !== undefined && fields.some(({ name }) => name === CONFIRMATION_ID)) {
    given[CONFIRMATION_ID] ??= said.confirmationId;
  }
  const checkLuhn = core.catalogue.shipped(row.paymentMethod)?.checkLuhn;
  const inputs = validInputs({ fields, method: row.paymentMethod, checkLuhn }, given);
  return Object.keys(inputs).length === 0 ? undefined : inputs;
}

/** Between people the widget's own page asks; an answer of that call has no such fields. */
function inputFieldsOf({ request, response }: DepositRow) {
  return request.isP2p === true ? [] : (response?.apiResponse.data?.inputFields ?? []);
}

/** Keeps it in the place of what was said before; committed before the provider is told. */
export async function keepInputs(core: PaymentsCore, row: DepositRow, inputs: Inputs): Promise<DepositRow> {
  return core.database.transaction(async (transaction) => {
    const now = await lockDeposit(transaction, row.id);
    if (now?.state !== 'awaiting_payment') return row;
    await transaction.query({
      name: 'deposit-inputs-keep',
      text: `update deposit set request = jsonb_set(request, '{inputs}', $2::jsonb),
          check_at = least(check_at, now() + make_interval(secs => $3)) where id = $1`,
      values: [row.id, JSON.stringify(inputs), RETRY_S],
    });
    return { ...now, request: { ...now.request, inputs } };
  });
}

/**
 * Passes on what is kept. A provider that cannot be told now is told later; the person is not made to wait for it.
 * @throws DomainError banking.paymentMethodRegex when the provider will not have a value
 */
export async function tellInputs(core: PaymentsCore, row: DepositRow): Promise<void> {
  const { inputs } = row.request;
  if (inputs === undefined) return;
  const result = await askProvider(core, row, inputs);
  if (result.kind === 'silent') return;
  await core.database.query({
    name: 'deposit-inputs-told',
    // Unless the person has said something else meanwhile.
    text: `update deposit set request = request - 'inputs' where id = $1 and request -> 'inputs' = $2::jsonb`,
    values: [row.id, JSON.stringify(inputs)],
  });
  if (result.kind === 'taken') return;
  const fields = result.fields.filter((name) => name in inputs);
  throw new DomainError('banking.paymentMethodRegex', 'The provider refused a field', {
    fields: fields.map((name) => ({ path: `fields.${name}`, message: 'refused by the provider' })),
  });
}

/** For a person who has gone: nobody is there to be told of a refusal. */
export async function tellInputsAgain(core: PaymentsCore, row: DepositRow): Promise<void> {
  try {
    await tellInputs(core, row);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    core.logger.warn({ depositId: row.id, provider: row.provider }, 'provider refused what the person typed');
  }
}

/** Never throws: a provider that does not answer is `silent`. */
async function askProvider(
  core: PaymentsCore,
  row: DepositRow,
  fields: Inputs,
): Promise<ProviderInputResult | { readonly kind: 'silent' }> {
  const provider = core.providers.get(row.provider);
  if (provider === undefined || row.providerRef === null) return { kind: 'silent' };
  if (provider.takeInputs === undefined) {
    core.logger.error({ depositId: row.id, provider: row.provider }, 'provider asks for fields that it does not take');
    return { kind: 'taken' };
  }
  const answer = provider
    .takeInputs({ depositId: row.id, providerRef: row.providerRef, fields })
    .catch((error: unknown) => {
      core.logger.warn({ depositId: row.id, provider: row.provider, err: error }, 'provider could not be told');
      return { kind: 'silent' } as const;
    });
  return withinTime<Awaited<typeof answer>>(core.clock, TELL_TIMEOUT_MS, answer, () => ({ kind: 'silent' }));
}
