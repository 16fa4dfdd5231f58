/**
 * Creates a withdrawal once per idempotency key (WD-2): checks, then stores row and hold in one transaction. A failed
 * create stores nothing.
 */
import { createHash } from 'node:crypto';
import { type ResponseOf, transactionStatusCodes, type withdrawalCreate } from '@opencashier/contract/api';
import { requestFingerprint } from '@opencashier/core/deposit/request-fingerprint';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type AskedPart, destinationParts } from '@opencashier/core/withdrawal/destination';
import { statusOfWithdrawalState, withdrawalRank } from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import { confirmationOf, requestCode } from '../confirmation-codes/confirmation-code.ts';
import type { Queryable, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { isStorableText } from '../database/storable-text.ts';
import { DomainError } from '../errors/domain-error.ts';
import { accountBalance, FrozenAccountError, InsufficientFundsError } from '../ledger/ledger.ts';
import { isKeptByWallets, presentWalletMode, walletModeOf } from '../operator-wallet/wallet-mode.ts';
import { readUserRules, requireOpen, type UserRules } from '../operators/user-rules.ts';
import { isConnectionInForce, isUnavailable } from '../payment-ports/connected-providers.ts';
import { logMove } from '../payment-ports/log-move.ts';
import { checkedPayee, type PayeeVerdict } from '../payment-ports/payee-check.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { errorOf } from '../payment-ports/provider-failure.ts';
import { payoutAccountFields, sealAccount } from '../payout-accounts/payout-accounts.ts';
import { destinationOfCard } from '../payout-refunds/paid-cards.ts';
import { planPayout } from '../payout-refunds/payout-refunds.ts';
import type { AgreedPayout } from '../sweepstake/redemptions.ts';
import { agreedPayout, requirePlayedAtHold } from './agreed-payout.ts';
import { type ChosenCard, cardPayoutOf, chosenCard } from './card-withdrawal.ts';
import { storeDestinationMarks } from './destination-marks.ts';
import { accountOf } from './payout-postings.ts';
import { insufficientFunds, type ValidWithdrawal, validateWithdrawal } from './validate-withdrawal.ts';
import { askedWithdrawal, askForAmount, requireMode } from './wallet-withdrawal.ts';
import {
  amountsOf,
  readWithdrawal,
  type StoredWithdrawalRequest,
  type WithdrawalRow,
  withdrawalColumns,
  withdrawalHookData,
} from './withdrawal-row.ts';
import { HOLD_LIFETIME_S } from './withdrawal-schedule.ts';
import {
  announceWithdrawal,
  findWithdrawal,
  holdAmount,
  isCancelledBefore,
  type WithdrawalKey,
} from './withdrawal-store.ts';
import type { CreateWithdrawal } from './withdrawals.ts';

/** How often the checks are repeated when the operator changes the catalogue meanwhile. */
const MOST_TRIES = 5;

/** Creates a withdrawal, or returns the stored terms of its key; see `Withdrawals.create`. */
export async function createWithdrawal(
  core: PaymentsCore,
  command: CreateWithdrawal,
): Promise<ResponseOf<typeof withdrawalCreate>> {
  const { caller, request } = command;
  const key = { operatorId: caller.operatorId, userId: caller.userId, publicId: request.withdrawalId };
  const fingerprint = fingerprintOf(command);
  // An accepted withdrawal keeps its terms, whatever changed since: limits, fee, balance.
  const known = await findWithdrawal(core.database, key);
  if (known !== undefined) return replay(core, known, fingerprint);
  const make = async () => makeWithdrawal(core, await withDestination(core, command), key, fingerprint);
  const row = await make().catch(async (error: unknown) => {
    // A concurrent call may have used the same key. Its hold may be the reason that the balance is too low, or that no card has a rest.
    const made = await findWithdrawal(core.database, key);
    if (made === undefined) throw error;
    return made;
  });
  return replay(core, await askedWithdrawal(core, row), fingerprint);
}

/** A create call, and the card that it pays to where the method pays to cards that paid. */
interface DestinedWithdrawal extends CreateWithdrawal {
  readonly card?: ChosenCard;
}

/**
 * Fills in the fields of a saved account, or finds the card that paid.
 * @throws DomainError banking.paymentMethodRegex when the user has no such account or card
 */
async function withDestination(core: PaymentsCore, command: CreateWithdrawal): Promise<DestinedWithdrawal> {
  const { caller, request } = command;
  const { payoutAccountId, paymentMethod, currency } = request;
  const card = await chosenCard(core, { caller, paymentMethod, currency }, payoutAccountId);
  if (card !== undefined) return { ...command, request: { ...request, fields: {} }, card };
  if (payoutAccountId === undefined) return command;
  const fields = await payoutAccountFields(core.database, core.dataKeys, caller, paymentMethod, payoutAccountId);
  if (fields !== undefined) return { ...command, request: { ...request, fields } };
  throw new DomainError('banking.paymentMethodRegex', 'Saved account not found', {
    fields: [{ path: 'payoutAccountId', message: 'is not a saved account of this user' }],
  });
}

/**
 * Checks the request and holds the amount.
 * @throws DomainError as {@link createWithdrawal}
 */
async function makeWithdrawal(
  core: PaymentsCore,
  command: DestinedWithdrawal,
  key: WithdrawalKey,
  fingerprint: Buffer,
): Promise<WithdrawalRow> {
  const mode = await presentWalletMode(core.database, key.operatorId);
  requireMode(mode, command.request);
  const isKeptHere = mode === 'cashier' || !isKeptByWallets(command.request.currency);
  const balance = isKeptHere ? await withdrawableBalance(core.database, command) : undefined;
  // A further try asks nobody again.
  let payeeCheck: PayeeVerdict | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const version = core.catalogue.version(key.operatorId);
    let valid: ValidWithdrawal;
    const rules = await readUserRules(core.database, command.caller);
    requireOpen(rules, 'withdrawal', command.language);
    try {
      valid = validateWithdrawal(core, command, balance, rules);
    } catch (error) {
      await core.catalogue.follow(key.operatorId);
      await core.connections?.follow(key.operatorId);
      // Another node may know newer settings of the operator. A request is only refused by the newest ones.
      const isSame = core.catalogue.version(key.operatorId) === version;
      if (isSame && (tries > 0 || !isUnavailable(error) || core.connections === undefined)) throw error;
      continue;
    }
    payeeCheck ??= await payeeOf(core, command, valid);
    const payout = await agreedPayout(core, command, valid);
    core.failpoint?.('withdrawal-before-insert');
    const row = await holdOnce(core, key, { command, valid, payout, payeeCheck, fingerprint, rules });
    core.failpoint?.('withdrawal-held');
    core.onChange();
    if (row !== undefined) return row;
    await core.catalogue.follow(key.operatorId);
    await core.connections?.follow(key.operatorId);
  }
  throw new DomainError('temporarily-unavailable', 'The catalogue is being changed. Try again in a second.', {
    retryAfterSeconds: 1,
  });
}

/** What the payee's bank says of the name, before anything is held. @throws DomainError as {@link checkedPayee} */
function payeeOf(
  { checkPayee }: PaymentsCore,
  { caller: { operatorId }, language, request: { payeeName, payoutAccountId } }: CreateWithdrawal,
  { account: { provider, connection }, fields }: ValidWithdrawal,
): Promise<PayeeVerdict | undefined> {
  return checkedPayee(checkPayee, {
    operatorId,
    provider,
    connectionId: connection?.id ?? null,
    fields,
    // The user has chosen the name of a saved account before, and cannot change it here.
    choice: payoutAccountId === undefined ? payeeName : undefined,
    language,
  });
}

/** The ledger balance of the requested account, in minor units. */
function withdrawableBalance(
  queryable: Queryable,
  {
    caller,
    request,
  }: { caller: CreateWithdrawal['caller']; request: Pick<CreateWithdrawal['request'], 'accountType' | 'currency'> },
): Promise<bigint> {
  const { userId: owner, operatorId } = caller;
  return accountBalance(queryable, operatorId, { owner, asset: request.currency, kind: accountOf(request) });
}

/** The fingerprint of the request. The destination is part of it, like the amount. */
function fingerprintOf({ request, caller }: CreateWithdrawal): Buffer {
  const { amount, currency, paymentMethod, wallet, accountType } = request;
  const selectedCountry = request.selectedCountry ?? caller.country;
  const money = requestFingerprint({ amount, currency, paymentMethod, wallet, selectedCountry });
  const kept = request.payoutAccountId === undefined ? [] : [['payoutAccountId', request.payoutAccountId] as const];
  const fields = [...Object.entries(request.fields), ...kept].sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([money, accountType, fields]))
    .digest();
}

interface NewWithdrawal {
  readonly command: DestinedWithdrawal;
  readonly valid: ValidWithdrawal;
  readonly payout: AgreedPayout | undefined;
  readonly payeeCheck: PayeeVerdict | undefined;
  readonly fingerprint: Buffer;
  /** The user's own rules by which the request was checked. */
  readonly rules: UserRules;
}

/**
 * The row of this key, made now with its hold, or by a concurrent call. Undefined when the catalogue or the
 * user's rules changed since the checks.
 */
async function holdOnce(
  core: PaymentsCore,
  key: WithdrawalKey,
  wanted: NewWithdrawal,
  isIdTaken = false,
): Promise<WithdrawalRow | undefined> {
  try {
    const made = await core.database.transaction((transaction) => hold(core, transaction, wanted, isIdTaken));
    const row = made ?? (await findWithdrawal(core.database, key));
    if (row !== undefined) return row;
  } catch (error) {
    if (constraintOf(error) === 'withdrawal_pkey' && !isIdTaken) {
      // A concurrent call made the row, or another user's withdrawal has the same id. In the second case this
      // withdrawal gets a new id.
      return (await findWithdrawal(core.database, key)) ?? holdOnce(core, key, wanted, true);
    }
    throw await failureOf(core, wanted.command, error);
  }
  if (!(await isCancelledBefore(core.database, key))) return undefined;
  throw new DomainError('state-conflict', 'The withdrawal was cancelled before it was created');
}

async function failureOf(core: PaymentsCore, command: CreateWithdrawal, error: unknown): Promise<unknown> {
  if (error instanceof FrozenAccountError) {
    return new DomainError('method-unavailable', 'The account is frozen, so no withdrawal is possible');
  }
  if (!(error instanceof InsufficientFundsError)) return error;
  const left = await withdrawableBalance(core.database, command);
  return insufficientFunds(toDecimalString(left, decimalsOf(command.request.currency)));
}

/**
 * Inserts key, row and hold. Undefined when the key exists or the catalogue changed.
 * @throws InsufficientFundsError, FrozenAccountError; the transaction then stores nothing
 */
async function hold(
  core: PaymentsCore,
  transaction: Transaction,
  { command, valid, payout, payeeCheck, fingerprint, rules }: NewWithdrawal,
  isIdTaken: boolean,
): Promise<WithdrawalRow | undefined> {
  const { caller, request } = command;
  const asked =
    command.card === undefined
      ? destinationParts(valid.method.fields, valid.fields)
      : destinationOfCard(command.card.label);
  const mode = await walletModeOf(transaction, caller.operatorId);
  requireMode(mode, request);
  const isAsked = mode === 'operator' && isKeptByWallets(request.currency);
  const ofForm = storedRequest(core, command, valid, asked, isAsked);
  const stored = { ...ofForm, ...(payeeCheck !== undefined && { payeeCheck }) };
  const [inserted] = await transaction.query<WithdrawalRow>({
    name: 'withdrawal-insert',
    text: `with taken as (
        insert into withdrawal_key (operator_id, user_id, client_key, withdrawal_id)
        select $1, $2, $3, case when $13 or exists (select 1 from withdrawal where id = $3) then gen_random_uuid() else $3::uuid end
        where coalesce((select version from catalogue_settings where operator_id = $1), 0) = $18
          and coalesce((select version from user_policy where operator_id = $1 and user_id = $2), 0) = $20
          and (select withdrawals_open from operator where id = $1)
          and ${isConnectionInForce('$1', '$6', '$23::uuid', '$24::int')}
        on conflict do nothing returning withdrawal_id
      )
      insert into withdrawal (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency,
        amount, fee, country, account_type, state, rank, request, expires_at, payout_currency, payout_amount, payout_rate, payout_rate_at, connection_id)
      select withdrawal_id, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $21, $22, $12,
        now() + make_interval(secs => $14), $15, $16, $17, $19, $23
      from taken returning ${withdrawalColumns}`,
    values: [
      caller.operatorId,
      caller.userId,
      request.withdrawalId,
      fingerprint,
      valid.method.name,
      valid.account.provider,
      request.currency,
      valid.amountMinor,
      valid.feeMinor,
      valid.country,
      request.accountType,
      JSON.stringify(stored),
      isIdTaken,
      HOLD_LIFETIME_S,
      payout?.currency ?? null,
      payout?.amount ?? null,
      payout?.rate ?? null,
      valid.catalogueVersion,
      payout === undefined ? null : new Date(payout.at),
      rules.version,
      isAsked ? 'checking' : 'held',
      withdrawalRank(isAsked ? 'checking' : 'held'),
      valid.account.connection?.id ?? null,
      valid.account.connection?.version ?? null,
    ],
  });
  if (inserted === undefined) return undefined;
  const row = readWithdrawal(inserted);
  logMove(transaction, { type: 'withdrawal', row, cause: 'create' });
  await storeDestinationMarks(transaction, core.dataKeys, row, asked);
  // Deposits are locked before accounts, as by every other change of a deposit.
  const toCard = cardPayoutOf(row);
  if (toCard !== undefined) await planPayout(transaction, toCard);
  if (isAsked) {
    await askForAmount(transaction, row);
    await announceWithdrawal(transaction, row);
    core.failpoint?.('withdrawal-uncommitted');
    return row;
  }
  await requirePlayedAtHold(transaction, row);
  await holdAmount(transaction, row);
  await announceWithdrawal(transaction, row);
  if (valid.codeChannel !== undefined)
    await requestCode(core, transaction, row, valid.codeChannel, withdrawalHookData(row));
  core.failpoint?.('withdrawal-uncommitted');
  return row;
}

/** What the provider needs later, and what the hold needs once the operator's wallet has given the amount (`isAsked`). */
function storedRequest(
  core: PaymentsCore,
  { caller: { operatorId, userId }, request, language, card }: DestinedWithdrawal,
  { method, fields, codeChannel }: ValidWithdrawal,
  asked: readonly AskedPart[],
  isAsked: boolean,
): StoredWithdrawalRequest {
  const isOfAccount = card === undefined && (request.keepsAccount === true || request.payoutAccountId !== undefined);
  const place = { operatorId, userId, paymentMethod: method.name };
  return {
    fields,
    providerOptions: method.providerOptions ?? {},
    asked,
    ...(isOfAccount && { account: sealAccount(core.dataKeys, place, fields, asked) }),
    ...(card !== undefined && { card: card.id }),
    ...(card === undefined && request.keepsAccount === true && { isKept: true }),
    ...(card === undefined && request.payoutAccountId !== undefined && { isFromKept: true }),
    ...(language !== undefined && isStorableText(language) && { language }),
    ...(isAsked && codeChannel !== undefined && { codeChannel }),
  };
}

/** The stored terms and the present state. */
async function replay(
  core: PaymentsCore,
  row: WithdrawalRow,
  fingerprint: Buffer,
): Promise<ResponseOf<typeof withdrawalCreate>> {
  if (!row.fingerprint.equals(fingerprint)) {
    throw new DomainError('idempotency-conflict', 'The idempotency key was already used for a different request');
  }
  if (row.state === 'refused' && row.failure !== null) throw errorOf(row.failure);
  const { fee, receives, payout } = amountsOf(row);
  const status = transactionStatusCodes[statusOfWithdrawalState(row.state)];
  const confirmation = await confirmationOf(core.database, row);
  return {
    withdrawalId: row.publicId,
    status,
    fee,
    receives,
    ...(payout && { payout }),
    ...(confirmation && { confirmation }),
  };
}
