/**
 * Creates a deposit once per idempotency key (SRV-6, DEP-16). Checks, commits the row, calls the provider, and stores
 * its answer. After a crash a retry or the reconciler completes the row.
 */
import { hash } from 'node:crypto';
import type { Bonus, DepositResponse, FeeRule } from '@opencashier/contract/api';
import { requestFingerprint } from '@opencashier/core/deposit/request-fingerprint';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { isStorableText } from '../database/storable-text.ts';
import { DomainError } from '../errors/domain-error.ts';
import { noUserRules, readUserRules, requireOpen, type UserRules } from '../operators/user-rules.ts';
import { bypassMaximum } from '../payment-ports/captcha.ts';
import { isUnavailable } from '../payment-ports/connected-providers.ts';
import { logMove } from '../payment-ports/log-move.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { BUSY_S, errorOf } from '../payment-ports/provider-failure.ts';
import { storedBox } from '../sweepstake/bought-box.ts';
import { boxToBuy, reserveBox } from '../sweepstake/box-order.ts';
import { type BoxRow, priceOf } from '../sweepstake/box-store.ts';
import { type DepositRow, depositColumns, readDeposit, type StoredRequest } from './deposit-row.ts';
import { type DepositKey, findByKey, type KeyedDeposit, LAST_SUBMITTED_RANK } from './deposit-store.ts';
import type { DepositsCore } from './deposit-writes.ts';
import { grantedBonus } from './granted-bonus.ts';
import { insertDeposits, type NewDepositRow } from './insert-deposits.ts';
import type { CreateDeposit } from './payments.ts';
import { resumedResponse, tieToOpenDeposit } from './resume-deposit.ts';
import { emptyResponse, submitDeposit } from './submit-deposit.ts';
import { type ValidDeposit, validateDeposit } from './validate-deposit.ts';

/** Seconds after which a client that met a busy key should ask again. */
const IN_FLIGHT_RETRY_S = 2;

const FALLBACK_LANGUAGE = 'en';

/** How often the checks are repeated when the operator changes the catalogue meanwhile. */
const MOST_TRIES = 5;

/** Creates a deposit, or returns the stored answer of its key; see `Payments.createDeposit`. */
export async function createDeposit(core: DepositsCore, asked: CreateDeposit): Promise<DepositResponse> {
  const key = keyOf(asked);
  const fingerprint = fingerprintOf(asked);
  let wanted: NewDeposit | undefined;
  let rules = noUserRules;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const version = core.catalogue.version(key.operatorId);
    try {
      // The insert compares only the version of the rules.
      requireOpen(rules, 'deposit', asked.language);
      wanted =
        wanted === undefined
          ? { ...(await checkRequest(core, asked, rules)), fingerprint }
          : await recheckRequest(core, wanted, rules);
    } catch (error) {
      // A rule may have changed since the first attempt, and a captcha is valid once. The stored answer still counts.
      const stored = await findByKey(core.database, key);
      if (stored !== undefined) return replay(core, stored, key, fingerprint);
      await followSettings(core, key.operatorId);
      const known = rules.version;
      if (isLimitError(error)) rules = await readUserRules(core.database, asked.caller);
      // There may be newer settings of the operator, and rules of the user that were not read yet. A request is only refused by the
      // newest ones.
      const isSame = core.catalogue.version(key.operatorId) === version && rules.version === known;
      // A connection may have been enabled a moment ago. Each refusal is checked by the newest ones once.
      if (isSame && (tries > 0 || !isUnavailable(error) || core.connections === undefined)) throw error;
      continue;
    }
    core.failpoint?.('before-insert');
    const row = await insertDeposit(core, wanted);
    core.failpoint?.('inserted');
    if (row !== undefined) return submitDeposit(core, row, { route: wanted.valid.chosen.route });
    const known = await findByKey(core.database, key);
    if (known !== undefined) return replay(core, known, key, fingerprint);
    await followSettings(core, key.operatorId);
    rules = await readUserRules(core.database, asked.caller);
  }
  throw new DomainError('temporarily-unavailable', 'The catalogue is being changed. Try again in a second.', {
    retryAfterSeconds: 1,
  });
}

/** Reads the settings of the operator again that the checks need. */
async function followSettings({ catalogue, connections, routes }: PaymentsCore, operatorId: string): Promise<void> {
  await catalogue.follow(operatorId);
  await routes?.follow(operatorId);
  await connections?.follow(operatorId);
}

function isLimitError(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'limit-min' || error.code === 'limit-max');
}

/** Checks the request by every rule. */
async function checkRequest(
  core: PaymentsCore,
  asked: CreateDeposit,
  rules: UserRules,
): Promise<Omit<NewDeposit, 'fingerprint'>> {
  const { caller, request } = asked;
  const box = asked.box && (await boxToBuy(core.database, caller.operatorId, asked.box, request.currency));
  const command =
    box === undefined
      ? asked
      : // A bonus never applies to a coin box.
        { ...asked, request: { ...request, amount: priceOf(box), currency: box.currency, isActivatedBonus: false } };
  const valid = validateDeposit(core, command, rules);
  await requireCaptcha(core, command, valid);
  return { command, valid, box, rules, bonus: await grantedBonus(core, command, valid) };
}

/** Repeats the checks by the newest settings of the operator and of its user. The captcha was already used. */
async function recheckRequest(core: PaymentsCore, wanted: NewDeposit, rules: UserRules): Promise<NewDeposit> {
  const valid = validateDeposit(core, wanted.command, rules);
  return { ...wanted, valid, rules, bonus: await grantedBonus(core, wanted.command, valid) };
}

/**
 * Requires a captcha if the method has the flag; without one only small amounts pass (ERR-5). Nothing is stored
 * before.
 */
async function requireCaptcha(
  core: PaymentsCore,
  { caller, request }: CreateDeposit,
  valid: ValidDeposit,
): Promise<void> {
  if (valid.method.flags.captcha !== true) return;
  const { captcha, depositId, currency } = request;
  if ((await core.captcha.admit({ caller, depositId, captcha })) === 'verified') return;
  const most = bypassMaximum(valid.limits);
  if (valid.amountMinor > most) {
    const params = { max: toDecimalString(most, decimalsOf(currency)) };
    throw new DomainError('limit-max', 'The amount is above the maximum without a captcha', { params });
  }
}

/** The idempotency key of a create call. */
export function keyOf({ caller, request }: Pick<CreateDeposit, 'caller' | 'request'>): DepositKey {
  return { operatorId: caller.operatorId, userId: caller.userId, publicId: request.depositId };
}

function fingerprintOf({ request, caller, box }: CreateDeposit): Buffer {
  const text = requestFingerprint({
    // The server sets the price of a box. The price on the user's screen is part of the fingerprint.
    amount: box === undefined ? request.amount : (box.price ?? ''),
    boxId: box?.boxId,
    currency: request.currency,
    paymentMethod: request.paymentType,
    wallet: request.wallet,
    bonusId: request.bonusId,
    selectedCountry: request.selectedCountry ?? caller.country,
  });
  return hash('sha256', text, 'buffer');
}

interface NewDeposit {
  readonly command: CreateDeposit;
  readonly valid: ValidDeposit;
  readonly fingerprint: Buffer;
  readonly bonus: Bonus | undefined;
  readonly box: BoxRow | undefined;
  /** The user's own rules by which the request was checked. */
  readonly rules: UserRules;
}

/** Inserts the deposit. Undefined like {@link insertDeposits}, and when the key was tied to an open peer-to-peer deposit. */
async function insertDeposit(
  core: DepositsCore,
  deposit: NewDeposit,
  isIdTaken = false,
): Promise<DepositRow | undefined> {
  const wanted = newRowOf(core, deposit, isIdTaken);
  try {
    const { box, command } = deposit;
    if (box !== undefined) {
      return await core.database.transaction(async (transaction) => {
        const row = await insertWith(transaction, wanted);
        if (row !== undefined) await reserveBox(transaction, row.operatorId, box);
        return row;
      });
    }
    if (command.p2p === undefined) {
      const row = await core.writes.insert(wanted);
      if (row !== undefined) logMove(core.database, { type: 'deposit', row, cause: 'create' });
      return row;
    }
    const key = keyOf(command);
    return await core.database.transaction(async (transaction) => {
      const found = await tieToOpenDeposit(transaction, key, deposit.valid.method.name);
      if (found === 'busy') throw inFlight();
      return found === 'tied' ? undefined : insertWith(transaction, wanted);
    });
  } catch (error) {
    // Another user's deposit has the same id. This deposit gets a new id.
    if (constraintOf(error) !== 'deposit_pkey' || isIdTaken) throw error;
    return insertDeposit(core, deposit, true);
  }
}

/** Inserts the deposit in a transaction, together with what belongs to it. */
async function insertWith(transaction: Transaction, wanted: NewDepositRow): Promise<DepositRow | undefined> {
  const [row] = await insertDeposits(transaction, [wanted]);
  if (row !== undefined) logMove(transaction, { type: 'deposit', row, cause: 'create' });
  return row;
}

function newRowOf(
  core: PaymentsCore,
  { command, valid, fingerprint, bonus, box, rules }: NewDeposit,
  isIdTaken: boolean,
): NewDepositRow {
  const { caller, request, p2p } = command;
  const { account, route } = valid.chosen;
  const stored: StoredRequest = {
    fields: valid.fields,
    returnUrl: core.returnUrlOf(caller.operatorId, request.returnUrl),
    language: isStorableText(command.language) ? command.language : FALLBACK_LANGUAGE,
    providerOptions: valid.chosen.options,
    ...(p2p !== undefined && { isP2p: true }),
    ...(p2p?.bank !== undefined && isStorableText(p2p.bank) && { bank: p2p.bank }),
  };
  const isOpenAmount = valid.method.isOpenAmount === true;
  // A coin box never costs less than its price.
  const openLeast = box === undefined ? (valid.limits.min ?? null) : valid.amountMinor;
  return {
    operatorId: caller.operatorId,
    userId: caller.userId,
    publicId: request.depositId,
    fingerprint,
    paymentMethod: request.paymentType,
    provider: account.provider,
    connectionId: account.connection?.id ?? null,
    connectionVersion: account.connection?.version ?? null,
    decision: route?.decision ?? null,
    currency: request.currency,
    amount: valid.amountMinor,
    country: valid.country,
    request: stored,
    bonus: bonus ?? null,
    isOpenAmount,
    openLeast: isOpenAmount ? openLeast : null,
    openMaximum: isOpenAmount ? (valid.limits.max ?? null) : null,
    box: box === undefined ? null : storedBox(box),
    fee: box === undefined ? feeOf(valid, request.currency) : null,
    catalogueVersion: valid.catalogueVersion,
    userVersion: rules.version,
    isIdTaken,
  };
}

/** The fee that the user will pay; null: none. */
function feeOf({ method }: ValidDeposit, currency: string): FeeRule | null {
  const rule = method.fees?.[currency];
  return rule === undefined || rule.paidBy === 'operator' ? null : rule;
}

/** Answers a retry with the stored answer or failure. */
async function replay(
  core: DepositsCore,
  known: KeyedDeposit,
  key: DepositKey,
  fingerprint: Buffer,
): Promise<DepositResponse> {
  if (known.kind === 'tombstone')
    throw new DomainError('state-conflict', 'The deposit was cancelled before it was created');
  const { row } = known;
  if (row.publicId !== key.publicId) return resumedResponse(row);
  if (!row.fingerprint.equals(fingerprint)) {
    throw new DomainError('idempotency-conflict', 'The idempotency key was already used for a different request');
  }
  if (row.failure !== null) throw errorOf(row.failure);
  if (row.response !== null) return row.response;
  if (row.state === 'cancelled') throw new DomainError('state-conflict', 'The deposit was cancelled');
  if (row.state === 'declined' || row.state === 'expired') {
    throw new DomainError('provider-error', 'The provider did not accept the payment');
  }
  // The deposit is paid or pending without a stored answer. The client asks for its status.
  if (row.rank > LAST_SUBMITTED_RANK) return emptyResponse(row);
  return resubmit(core, row);
}

/**
 * Calls the provider again under the same key, one node at a time. The first node died, or the provider did not
 * answer.
 */
async function resubmit(core: DepositsCore, row: DepositRow): Promise<DepositResponse> {
  const [held] = await core.database.query<DepositRow>({
    name: 'deposit-hold',
    // The outcome is unknown again, so the questions begin again. One that is due earlier stays, however often the create is repeated.
    text: `update deposit set busy_until = now() + make_interval(secs => $2), checks = 0,
        check_at = least(check_at, now() + make_interval(secs => $2 + 1))
      where operator_id = $4 and id = $1 and response is null and failure is null and rank <= $3 and (busy_until is null or busy_until <= now())
      returning ${depositColumns}`,
    values: [row.id, BUSY_S, LAST_SUBMITTED_RANK, row.operatorId],
  });
  if (held === undefined) throw inFlight();
  return submitDeposit(core, readDeposit(held), { isRepeat: true });
}

function inFlight(): DomainError {
  return new DomainError('in-flight', 'The same deposit is being created. Ask for its status; do not pay again', {
    retryAfterSeconds: IN_FLIGHT_RETRY_S,
  });
}
