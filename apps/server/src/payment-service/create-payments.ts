/** Assembles payments: the calls, the application of provider events, and the workers. */

import { cancelDeposit } from '../deposits/cancel-deposit.ts';
import { storeConfirmationId } from '../deposits/confirmation-id.ts';
import { continueAtProvider } from '../deposits/continue-deposit.ts';
import { createDeposit } from '../deposits/create-deposit.ts';
import { type DepositRow, depositColumns, readDeposit, transactionView } from '../deposits/deposit-row.ts';
import { type DepositKey, findByKey } from '../deposits/deposit-store.ts';
import { withDepositWrites } from '../deposits/deposit-writes.ts';
import { checkedInputs, sendInputs, storeInputs } from '../deposits/paid-inputs.ts';
import { DomainError } from '../errors/domain-error.ts';
import { createDueWorker, type DueWork, type DueWorker } from '../jobs/due-worker.ts';
import { noSpans } from '../observability/spans.ts';
import type { Caller } from '../operators/caller.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import type { PaymentsCore, PaymentsOptions } from '../payment-ports/payments-core.ts';
import { applyDepositReport } from '../payments/apply.ts';
import { reconcileRefunds, refundDeposit } from '../payments/refund-deposit.ts';
import { resolveReview } from '../payments/resolve-review.ts';
import { sealPayoutAccounts } from '../payout-accounts/payout-accounts.ts';
import { createCallbackInbox } from '../reconciliation/callback-inbox.ts';
import { readCallbacks } from '../reconciliation/read-callbacks.ts';
import { expireDeposits, inquire, reconcileDeposits, retryParkedDepositEvents } from '../reconciliation/reconcile.ts';
import { createQuestionCircuit } from '../signed-questions/question-circuit.ts';
import { createWalletBalances } from '../wallet-calls/wallet-balance.ts';
import { askWallets, createAskNow } from '../wallet-calls/wallet-worker.ts';
import { endUndeliverable } from '../webhooks/end-undeliverable.ts';
import { deliverWebhooks } from '../webhooks/webhook-deliveries.ts';
import { applyWithdrawal } from '../withdrawals/apply-withdrawal.ts';
import { createWithdrawals, withdrawalWorkers } from '../withdrawals/create-withdrawals.ts';
import { decideWithdrawal } from '../withdrawals/decide-withdrawal.ts';
import { settleLatePayout } from '../withdrawals/settle-late-payout.ts';
import type { PaymentsEngine } from './payments-engine.ts';
import { pushSenderOf, sendPushes } from './push-outbox.ts';

export function createPayments(options: PaymentsOptions): PaymentsEngine {
  const workers: DueWorker[] = [];
  const { database, logger, allowInsecureWebhooks: allowInsecure = false } = options;
  // Wallets judge signatures by the machine's time.
  const clock = machineClockOf(options);
  const wallet = { database, clock, logger, allowInsecure, circuit: createQuestionCircuit(clock) };
  const balances = createWalletBalances(wallet);
  const core: PaymentsCore = {
    ...options,
    spans: options.spans ?? noSpans,
    onChange() {
      for (const worker of workers) if (!worker.isByTimeAlone) worker.wake();
    },
    askWallet: (call) => askNow(call),
    pushes: pushSenderOf(() => pushes),
  };
  const askNow = createAskNow(core, { ...wallet, balances });
  const deposits = withDepositWrites(core);
  const pushes = createDueWorker(sendPushes(core), portsOf(core));
  const callbacks = readCallbacks(core);
  const inbox = createDueWorker(callbacks, portsOf(core));
  workers.push(
    inbox,
    ...moneyWorkers(core),
    createDueWorker(askWallets(core, { ...wallet, balances }), portsOf(core)),
    pushes,
    ...webhookWorkers(core),
    ...watchWorkers(core),
  );

  return {
    withdrawals: createWithdrawals(core),
    walletBalanceOf: balances.balanceOf,
    createDeposit: (command) => createDeposit(deposits, command),
    async depositStatus(caller, depositId) {
      return transactionView(await ownDeposit(core, caller, depositId));
    },
    cancelDeposit: (caller, depositId, options) => cancelDeposit(core, ownKey(caller, depositId), options),
    async completeDeposit(caller, depositId, claim = {}) {
      const row = await ownDeposit(core, caller, depositId);
      const inputs = checkedInputs(core, row, claim);
      await storeConfirmationId(core, row, claim.confirmationId);
      if (inputs !== undefined) await sendInputs(core, await storeInputs(core, row, inputs));
      const answer = await inquire(core, row);
      if (answer.kind === 'report') await applyDepositReport(core, answer.report);
      return transactionView(await ownDeposit(core, caller, depositId));
    },
    async continueDeposit(caller, depositId, method) {
      return continueAtProvider(core, await ownDeposit(core, caller, depositId), method);
    },
    async openDeposit(caller, paymentMethod) {
      const row = await newestOpen(core, caller, paymentMethod);
      return row && transactionView(row);
    },
    apply: (report) => applyDepositReport(core, report),
    receiveCallback: createCallbackInbox(core, {
      freePlaces: (provider, sizes) => callbacks.freePlaces(provider, inbox.inHand(), sizes),
      take: (callback) => inbox.take([callback]),
      wake: () => inbox.wake(),
    }),
    async resolveReview(reviewed, decision, staff) {
      return transactionView(await resolveReview(core, reviewed, decision, staff));
    },
    refundDeposit: (command) => refundDeposit(core, command),
    settleLatePayout: (withdrawal, decision, staff) => settleLatePayout(core, withdrawal, decision, staff),
    decideWithdrawal: (decision) => decideWithdrawal(core, decision),
    startWorkers() {
      for (const worker of workers) worker.start();
    },
    async runDueWork() {
      for (const worker of workers) await worker.runDue();
    },
    lookAgain() {
      for (const worker of workers) worker.wake();
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

const machineClockOf = ({ machineClock, clock }: Pick<PaymentsOptions, 'machineClock' | 'clock'>) =>
  machineClock ?? clock;

function portsOf({ clock, logger, spans }: PaymentsCore) {
  return { clock, logger, spans };
}

/** Workers for deposits, refunds and withdrawals that wait for a provider or for their time. */
function moneyWorkers(core: PaymentsCore): DueWorker[] {
  const ports = portsOf(core);
  return [
    createDueWorker(retryParkedDepositEvents(core), ports),
    createDueWorker(reconcileDeposits(core), ports),
    createDueWorker(expireDeposits(core), ports),
    createDueWorker(reconcileRefunds(core), ports),
    ...withdrawalWorkers(core),
    createDueWorker(sealPayoutAccounts(core.database, core.dataKeys), ports),
  ];
}

/** Sends the webhooks that transactions have queued. */
function webhookWorkers(core: PaymentsCore): DueWorker[] {
  const ports = portsOf(core);
  const webhooks = deliverWebhooks({
    ...ports,
    // Receivers judge signatures by the machine's time.
    clock: machineClockOf(core),
    database: core.database,
    allowInsecure: core.allowInsecureWebhooks ?? false,
    seal: createSeal(core.secret),
    failpoint: core.failpoint,
  });
  return [createDueWorker(webhooks, ports), createDueWorker(endUndeliverable(core.database, core.logger), ports)];
}

/** Looks for payments at the providers that send no callbacks, such as chains, and brings their payouts forward. */
function watchWorkers(core: PaymentsCore): DueWorker[] {
  return [...core.providers.values()].flatMap(({ name, watch, withdrawals }) => {
    const parts = watch?.parts ?? (watch === undefined ? [] : [{ name: '', idleMs: watch.idleMs, round: watch.round }]);
    return [
      ...parts.map((part) =>
        roundWorker(core, `watch ${name} ${part.name}`.trimEnd(), part.idleMs ?? watch?.idleMs ?? 1000, () =>
          part.round((report) => applyDepositReport(core, report)),
        ),
      ),
      ...(withdrawals?.watch ?? []).map((part) =>
        roundWorker(core, `pay out ${name} ${part.name}`, part.idleMs, () =>
          part.round((report) => applyWithdrawal(core, report)),
        ),
      ),
    ];
  });
}

function roundWorker(core: PaymentsCore, name: string, idleMs: number, round: () => Promise<void>): DueWorker {
  const work: DueWork<never> = {
    name,
    idleMs,
    isByTimeAlone: true,
    async claim() {
      await round();
      return [];
    },
    handle: async () => undefined,
  };
  return createDueWorker(work, portsOf(core));
}

function ownKey(caller: Caller, depositId: string): DepositKey {
  return { operatorId: caller.operatorId, userId: caller.userId, publicId: depositId };
}

/** @throws DomainError not-found, also for another user's deposit and for a tombstone */
async function ownDeposit(core: PaymentsCore, caller: Caller, depositId: string): Promise<DepositRow> {
  const known = await findByKey(core.database, ownKey(caller, depositId));
  if (known?.kind !== 'deposit') throw new DomainError('not-found', 'Deposit not found');
  return known.row;
}

async function newestOpen(core: PaymentsCore, caller: Caller, method: string): Promise<DepositRow | undefined> {
  const [row] = await core.database.query<DepositRow>({
    name: 'deposit-open',
    text: `select ${depositColumns} from deposit
      where operator_id = $1 and user_id = $2 and payment_method = $3 and rank < 80
      order by created_at desc limit 1`,
    values: [caller.operatorId, caller.userId, method],
  });
  return row && readDeposit(row);
}
