/**
 * The tries of one create call (SRV-4). Without a route there is one. With a route the next account is tried only after the one before
 * has certainly taken nothing, and core decides which. Every other answer, also none, keeps the deposit at its account for ever.
 */
import type { TryOutcome } from '@opencashier/core/routing/account-health';
import { nextAfter, type RoutingAttempt } from '@opencashier/core/routing/next-after';
import type { CandidateKey } from '@opencashier/core/routing/route';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { PaymentRoutes } from '../payment-ports/payment-routes.ts';
import { PROVIDER_TIMEOUT_MS } from '../payment-ports/provider-failure.ts';
import type { Provider, ProviderCreateResult } from '../providers/provider.ts';
import { askProvider } from './ask-provider.ts';
import { candidateOptions, type RoutedChoice } from './chosen-account.ts';
import type { DepositRow } from './deposit-row.ts';
import type { DepositsCore } from './deposit-writes.ts';
import { beginNextAttempt, type EndedAttempt, type NextAccount } from './next-attempt.ts';

/**
 * After so long no further account is tried. The last one still has two thirds of the usual time, and all of them together end before
 * the widget and the lease of the row give up.
 */
const LAST_TRY_AFTER_MS = PROVIDER_TIMEOUT_MS / 3;

/** How a create call came about. */
export interface CreateCall {
  /** True: the provider may have been called before, so its failure is not certain. */
  readonly isRepeat?: boolean;
  /** How a route chose the account of the row. Absent: no route, or a repeat. */
  readonly route?: RoutedChoice | undefined;
}

/** The last account that was asked, and its answer. */
export interface Tried {
  readonly row: DepositRow;
  /** Undefined: it could not be asked, and there is no other one. */
  readonly provider: Provider | undefined;
  readonly answer: ProviderCreateResult;
}

/** Asks the account of a deposit, and further ones of its route while each has certainly taken nothing. */
export async function tryAccounts(core: DepositsCore, first: DepositRow, call: CreateCall): Promise<Tried> {
  const beganAt = core.clock.now();
  const chain = chainOf(core.routes, call.route);
  let row = first;
  for (;;) {
    const tried = await tryOnce(core, row, call, PROVIDER_TIMEOUT_MS - (core.clock.now() - beganAt), chain);
    const ended = endedOf(tried);
    if (ended === undefined || chain === undefined || call.isRepeat === true) return tried;
    chain.attempts.push({ key: chain.key, ...attemptOf(tried) });
    const next = core.clock.now() - beganAt < LAST_TRY_AFTER_MS ? await goOn(core, row, ended, chain) : undefined;
    if (next === undefined) return tried;
    const { id: payment, provider, connectionId } = next;
    core.logger.info({ payment, from: row.provider, provider, connection: connectionId }, 'another account is tried');
    row = next;
  }
}

/** The tries so far, and the candidate that the deposit has now. */
interface Chain {
  readonly routes: PaymentRoutes;
  readonly route: RoutedChoice;
  readonly attempts: RoutingAttempt[];
  /** Accounts that take no payment any more. They were not asked, so they are no tries. */
  readonly closed: Set<CandidateKey>;
  key: CandidateKey;
}

function chainOf(routes: PaymentRoutes | undefined, route: RoutedChoice | undefined): Chain | undefined {
  if (routes === undefined || route?.key === undefined) return undefined;
  return { routes, route, attempts: [], closed: new Set(), key: route.key };
}

async function tryOnce(
  core: DepositsCore,
  row: DepositRow,
  { isRepeat = false }: CreateCall,
  ms: number,
  chain: Chain | undefined,
): Promise<Tried> {
  const end = chain?.routes.begin(row.operatorId, chain.key);
  const provider = await providerOf(core, row);
  const said: ProviderCreateResult =
    provider === undefined ? { kind: 'failed', code: 'not-opened' } : await askProvider(core, provider, row, ms);
  end?.(OUTCOMES[said.kind]);
  // An earlier call may have succeeded, although this call failed.
  const answer: ProviderCreateResult = isRepeat && said.kind === 'failed' ? { ...said, kind: 'unknown' } : said;
  // Every failure has a line with the payment and the provider before any other line about it.
  if (answer.kind === 'unknown' || answer.kind === 'failed') {
    const { kind: outcome, code } = answer;
    core.logger.warn({ payment: row.id, provider: row.provider, outcome, code }, 'provider gave no good answer');
  }
  return { row, provider, answer };
}

const OUTCOMES: Readonly<Record<ProviderCreateResult['kind'], TryOutcome>> = {
  created: 'accepted',
  declined: 'declined',
  failed: 'failed',
  unknown: 'unknown',
};

/** How a try ended that certainly took nothing. Undefined: the account has the payment, or may have it. */
function endedOf({ provider, answer }: Tried): EndedAttempt | undefined {
  if (answer.kind !== 'failed' && answer.kind !== 'declined') return undefined;
  return { outcome: provider === undefined ? 'not_sent' : answer.kind, code: answer.code };
}

function attemptOf({ answer }: Tried): Omit<RoutingAttempt, 'key'> {
  if (answer.kind !== 'declined' || answer.cause === undefined) return { outcome: OUTCOMES[answer.kind] };
  return { outcome: 'declined', declineCause: answer.cause };
}

/** Begins the try of the next account that takes the payment now. Undefined: there is none, or the deposit was moved meanwhile. */
async function goOn(
  core: DepositsCore,
  row: DepositRow,
  ended: EndedAttempt,
  chain: Chain,
): Promise<DepositRow | undefined> {
  const { inputs, order } = chain.route.decision;
  for (;;) {
    const step = nextAfter({ inputs, order: order.filter((key) => !chain.closed.has(key)) }, chain.attempts);
    if (step.kind !== 'try') return undefined;
    const next = nextAccount(chain, row, step.key);
    const begun = next === undefined ? undefined : await beginNextAttempt(core, row, ended, next);
    if (begun?.kind === 'moved') return undefined;
    if (begun?.kind === 'begun') {
      chain.key = step.key;
      return begun.row;
    }
    chain.closed.add(step.key);
  }
}

function nextAccount({ routes, route }: Chain, row: DepositRow, key: CandidateKey): NextAccount | undefined {
  const account = routes.accountOf(row.operatorId, key);
  return account && { account, options: candidateOptions(route.decision, key) ?? route.methodOptions };
}
