/** The create call to the provider, and the effect of its answer. Only the storing runs inside a transaction. */
import type { DepositResponse } from '@opencashier/contract/api';
import { declineReason } from '@opencashier/core/deposit/decline-cause';
import { judgeDepositMove } from '@opencashier/core/deposit/deposit-lifecycle';
import type { Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { entryOf } from '../languages/words.ts';
import { logMove } from '../payment-ports/log-move.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { errorOf, type StoredFailure } from '../payment-ports/provider-failure.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import type { Provider, ProviderCreateResult } from '../providers/provider.ts';
import { type DepositRow, idAtProvider } from './deposit-row.ts';
import { type DepositMove, lockDeposit, moveDeposit } from './deposit-store.ts';
import type { DepositsCore } from './deposit-writes.ts';
import { isOfFirstCall } from './next-attempt.ts';
import { type CreateCall, tryAccounts } from './try-accounts.ts';

const UNKNOWN_OUTCOME = 'The outcome is being checked. Do not pay again';

/**
 * Creates the payment at the provider under the deposit's id, and stores the answer. The row must be committed and
 * marked busy. The id is the provider's idempotency key, so a retry after a crash makes no second payment.
 * @param call how the deposit was created
 * @throws DomainError banking.merchantClientError, provider-error, unknown-outcome, state-conflict
 */
export function submitDeposit(core: DepositsCore, row: DepositRow, call: CreateCall = {}): Promise<DepositResponse> {
  const { provider, paymentMethod: method, operatorId: operator } = row;
  return core.spans.begin('deposit submit', { provider, method, operator }, { payment: row.id }, () =>
    submitOnce(core, row, call),
  );
}

async function submitOnce(core: DepositsCore, first: DepositRow, call: CreateCall): Promise<DepositResponse> {
  const { row, provider, answer } = await tryAccounts(core, first, call);
  const result = withInstruction(core, row, answer);
  core.failpoint?.('provider-answered');
  const storing = provider === undefined ? storeNotSent(core, row, result) : store(core, row, result);
  const after = await storing.catch((cause: unknown) => {
    // The provider may have a payment whose answer was not stored, for example after a database outage.
    throw new DomainError('unknown-outcome', UNKNOWN_OUTCOME, {}, { cause });
  });
  if (after === undefined) throw new DomainError('unknown-outcome', UNKNOWN_OUTCOME);
  core.failpoint?.('answer-stored');
  if (result.kind === 'created' && after.state === 'cancelled' && provider !== undefined) {
    await cancelAtProvider(core, provider, after);
  }
  if (after.failure !== null) throw errorOf(after.failure);
  if (after.state === 'submitted_unknown') throw new DomainError('unknown-outcome', UNKNOWN_OUTCOME);
  if (after.state === 'cancelled') throw new DomainError('state-conflict', 'The deposit was cancelled in the meantime');
  return after.response ?? emptyResponse(after);
}

/** The answer with the operator's own instruction, where the provider shows details without an instruction of its own. */
function withInstruction(
  { catalogue }: DepositsCore,
  row: DepositRow,
  answer: ProviderCreateResult,
): ProviderCreateResult {
  if (answer.kind !== 'created' || !answer.data || answer.data.instruction !== undefined) return answer;
  const own = catalogue.started(row.operatorId, row.paymentMethod)?.instruction ?? {};
  const steps = entryOf(own, row.request.language) ?? own['en'];
  if (steps === undefined) return answer;
  const numbered = steps.map((stepInstruction, index) => ({ stepNumber: index + 1, stepInstruction }));
  return { ...answer, data: { ...answer.data, instruction: { steps: numbered } } };
}

/** What the call needs of a deposit after its answer is stored. A copy of the whole row would be slow. */
type AnsweredRow = Pick<
  DepositRow,
  | 'id'
  | 'operatorId'
  | 'publicId'
  | 'paymentMethod'
  | 'provider'
  | 'attemptId'
  | 'providerRef'
  | 'state'
  | 'response'
  | 'failure'
  | 'createdAt'
  | 'lifetimeS'
  | 'serverTime'
>;

async function store(
  core: DepositsCore,
  row: DepositRow,
  result: ProviderCreateResult,
): Promise<AnsweredRow | undefined> {
  try {
    return (await storeCreated(core, row, result)) ?? (await storeOnce(core, row, result));
  } catch (error) {
    if (constraintOf(error) !== 'deposit_provider_ref_once') throw error;
    // The provider named another deposit's payment. Which payment it really has is unknown.
    core.logger.error({ depositId: row.id, provider: row.provider }, 'provider used one reference for two deposits');
    return await storeOnce(core, row, { kind: 'unknown', code: 'reused-reference' });
  }
}

/**
 * The usual case: the provider accepted the payment, and nothing else changed the row. One statement, shared with other
 * deposits, replaces a transaction of six. No push is queued, because the caller gets the answer. The workers are woken only
 * for reports that came before their deposit.
 * @returns undefined when it is not the usual case
 */
async function storeCreated(
  core: DepositsCore,
  row: DepositRow,
  result: ProviderCreateResult,
): Promise<AnsweredRow | undefined> {
  if (result.kind !== 'created' || row.state !== 'created') return undefined;
  const { to, providerRef = null, response = null, lifetimeS = row.lifetimeS } = changeOf(row, result);
  if (!(await core.writes.storeAnswer({ row, providerRef, response, lifetimeS }))) return undefined;
  const { id, attemptId, operatorId, publicId, paymentMethod, provider, failure, createdAt, serverTime } = row;
  const after: AnsweredRow = {
    id,
    operatorId,
    publicId,
    paymentMethod,
    provider,
    attemptId,
    providerRef: row.providerRef ?? providerRef,
    state: to,
    response,
    failure,
    createdAt,
    lifetimeS,
    serverTime,
  };
  logMove(core.database, { type: 'deposit', row: after, from: row.state, cause: 'provider-answer' });
  return after;
}

/**
 * A callback, a cancel or the expiry may have moved the row meanwhile. The later state stays, and the answer is
 * stored beside it.
 * @returns undefined: the call failed while a repeat has the deposit, so it is unknown what was sent
 */
async function storeOnce(
  core: PaymentsCore,
  asked: DepositRow,
  result: ProviderCreateResult,
): Promise<DepositRow | undefined> {
  const stored = await core.database.transaction(async (transaction) => {
    const row = await lockedRow(transaction, asked);
    // A call that took longer than its lease proves nothing about a repeat, which the provider may have accepted.
    if (result.kind !== 'failed' || (await isOfFirstCall(transaction, row)))
      return storeAnswer(transaction, row, result);
    return row.state === 'created' ? undefined : row;
  });
  core.onChange();
  return stored;
}

/**
 * Stores the end of a deposit whose last account could not be asked (SRV-4). Nothing was sent to it, and every account before certainly
 * took nothing, so the whole deposit certainly took nothing.
 * @returns undefined: a repeat or another node has the deposit, so it is unknown what was sent
 */
async function storeNotSent(
  core: PaymentsCore,
  asked: DepositRow,
  result: ProviderCreateResult,
): Promise<DepositRow | undefined> {
  if (result.kind !== 'failed') return undefined;
  const stored = await core.database.transaction(async (transaction) => {
    const row = await lockedRow(transaction, asked);
    const isStill = row.attemptId === asked.attemptId && (await isOfFirstCall(transaction, row));
    return isStill ? storeAnswer(transaction, row, result) : undefined;
  });
  core.onChange();
  return stored;
}

async function lockedRow(transaction: Transaction, asked: DepositRow): Promise<DepositRow> {
  const row = await lockDeposit(transaction, asked);
  if (row === undefined) throw new Error(`Deposit ${asked.id} no longer exists`);
  return row;
}

async function storeAnswer(
  transaction: Transaction,
  row: DepositRow,
  result: ProviderCreateResult,
): Promise<DepositRow> {
  const wanted = changeOf(row, result);
  const isOpen = judgeDepositMove(row.state, wanted.to) === 'move';
  const after = await moveDeposit(transaction, row, {
    ...(isOpen ? wanted : withoutEnding(wanted)),
    to: isOpen ? wanted.to : row.state,
    cause: 'provider-answer',
    isNoLongerBusy: true,
  });
  if (after.providerRef !== null) await depositEvents.wake(transaction, after);
  return after;
}

/** For a row in a later state: only reference and answer are stored. */
function withoutEnding({ reason: _reason, failure: _failure, ...kept }: Change): Omit<Change, 'reason' | 'failure'> {
  return kept;
}

type Change = Pick<DepositMove, 'to' | 'reason' | 'failure' | 'providerRef' | 'response' | 'lifetimeS'>;

function changeOf(row: DepositRow, result: ProviderCreateResult): Change {
  switch (result.kind) {
    case 'created': {
      const lifetimeS = result.lifetimeSeconds ?? row.lifetimeS;
      return {
        to: 'awaiting_payment',
        providerRef: result.providerRef,
        response: responseOf(row, result, lifetimeS),
        lifetimeS,
      };
    }
    case 'declined': {
      const isForPeople = result.message !== undefined;
      const failure: StoredFailure = isForPeople
        ? { code: 'banking.merchantClientError', message: result.message }
        : {
            code: 'provider-error',
            message: `The provider declined: ${result.code}`,
            ...(result.cause !== undefined && { params: { declineCause: result.cause } }),
          };
      return { to: 'declined', reason: declineReason(result.cause), failure };
    }
    case 'failed': {
      const failure: StoredFailure = { code: 'provider-error', message: `The provider failed: ${result.code}` };
      return { to: 'declined', reason: 'transaction.reason.provider-error', failure };
    }
    case 'unknown':
      return { to: 'submitted_unknown' };
  }
}

function responseOf(
  row: DepositRow,
  result: Extract<ProviderCreateResult, { kind: 'created' }>,
  lifetimeS: number,
): DepositResponse {
  return {
    apiResponse: {
      depositId: row.publicId,
      ...(result.source !== undefined && { source: result.source }),
      ...(typeof result.source === 'string' && { method: 'GET' as const }),
      data:
        result.data === null
          ? null
          : {
              ...(row.request.isP2p !== true && { created: row.createdAt.toISOString(), lifetime: lifetimeS }),
              ...result.data,
              serverTime: row.serverTime.toISOString(),
            },
      ...(result.pageId !== undefined && { pageId: result.pageId }),
      ...(result.pageType !== undefined && { pageType: result.pageType }),
    },
  };
}

/** The answer for a deposit without a stored provider answer. The widget then asks for the status. */
export function emptyResponse(
  row: Pick<DepositRow, 'publicId' | 'createdAt' | 'lifetimeS' | 'serverTime'>,
): DepositResponse {
  return {
    apiResponse: {
      depositId: row.publicId,
      data: { created: row.createdAt.toISOString(), lifetime: row.lifetimeS, serverTime: row.serverTime.toISOString() },
    },
  };
}

/** Cancels the payment at the provider. Best effort: after a failure, a payment that still comes is kept as late. */
export async function cancelAtProvider(
  core: PaymentsCore,
  provider: Provider,
  row: Pick<DepositRow, 'id' | 'attemptId' | 'provider' | 'providerRef'>,
): Promise<void> {
  if (provider.cancel === undefined || row.providerRef === null) return;
  try {
    await provider.cancel({ depositId: idAtProvider(row), providerRef: row.providerRef });
  } catch (error) {
    core.logger.warn({ depositId: row.id, provider: row.provider, err: error }, 'provider did not cancel');
  }
}
