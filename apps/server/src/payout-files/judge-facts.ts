/** Compares what a bank says with our transfers. Pure, so that tests can try every order of messages. */
import { isDuplicateReason, judgeTransfer } from '@opencashier/core/sepa/bank-status';
import type { TransferState } from '../providers/filed-transfer.ts';
import type { BankFact, BookedEntry } from './bank-facts.ts';

/** One of our transfers, as it is before the message. */
export interface KnownTransfer {
  readonly withdrawalId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly state: TransferState;
  /** The code of the bank's reason. */
  readonly reason: string | null;
  /** The file that may pay it, or that paid it. */
  readonly fileId: string | null;
}

export interface KnownFile {
  readonly fileId: string;
  readonly total: bigint;
  readonly currency: string;
}

/** A step of a transfer. Steps of one transfer come in their order. */
export interface TransferStep {
  readonly withdrawalId: string;
  readonly to: Exclude<TransferState, 'queued' | 'filed'>;
  readonly reason?: string | undefined;
  readonly returned?: bigint | undefined;
}

/** Something that staff must look at. Nothing was changed for it. */
export interface MessageProblem {
  readonly line: number;
  readonly withdrawalId?: string | undefined;
  /**
   * `unknown`: no such transfer. `amount`: another amount or currency. `other-file`: about a file that does not pay the transfer any more.
   * `contradiction`: the transfer has ended otherwise.
   */
  readonly problem: 'unknown' | 'amount' | 'other-file' | 'contradiction';
}

export interface Judged {
  readonly steps: readonly TransferStep[];
  readonly problems: readonly MessageProblem[];
  /** Files of which the bank executes nothing. */
  readonly rejectedFiles: readonly string[];
}

interface Books {
  readonly transfers: ReadonlyMap<string, KnownTransfer>;
  readonly files: ReadonlyMap<string, KnownFile>;
}

/** A state that a transfer may reach from another one. The database has the same table (`guard_payout_transfer`). */
const NEXT: Readonly<Record<TransferState, readonly TransferState[]>> = {
  queued: ['paid', 'declined'],
  filed: ['stopped', 'paid', 'declined'],
  stopped: ['paid', 'declined'],
  paid: ['returned'],
  declined: ['paid'],
  returned: [],
};

/** What a message changes. A fact that repeats what is known changes nothing. */
export function judgeFacts(facts: readonly BankFact[], books: Books): Judged {
  const states = new Map([...books.transfers].map(([id, { state }]) => [id, state]));
  const steps: TransferStep[] = [];
  const problems: MessageProblem[] = [];
  const rejectedFiles = new Set<string>();
  const sums = sumsOfEntries(facts, books);
  const ofFiles = byFile(books);
  const named = new Set(facts.flatMap(({ kind, withdrawalId }) => (kind === 'status' ? (withdrawalId ?? []) : [])));
  const step = (
    fact: BankFact,
    withdrawalId: string,
    to: TransferStep['to'],
    more: Partial<TransferStep> = {},
  ): void => {
    const from = states.get(withdrawalId);
    if (from === undefined || isOlder(from, to)) return;
    if (from === to) {
      // Staff may send a stopped transfer again until the bank says that it is a duplicate.
      const isNews = isDuplicateReason(more.reason) && !isDuplicateReason(books.transfers.get(withdrawalId)?.reason);
      if (to === 'stopped' && isNews) steps.push({ withdrawalId, to, ...more });
      return;
    }
    if (!NEXT[from].includes(to)) {
      problems.push({ line: fact.line, withdrawalId, problem: 'contradiction' });
      return;
    }
    states.set(withdrawalId, to);
    steps.push({ withdrawalId, to, ...more });
  };
  for (const fact of facts) {
    if (fact.withdrawalId === undefined) {
      judgeFile(fact, books, { step, problems, rejectedFiles, named, ofFiles });
      continue;
    }
    const transfer = books.transfers.get(fact.withdrawalId);
    if (transfer === undefined) {
      problems.push({ line: fact.line, withdrawalId: fact.withdrawalId, problem: 'unknown' });
      continue;
    }
    judgeOne(fact, transfer, { step, problems, sums, states });
  }
  return { steps, problems, rejectedFiles: [...rejectedFiles] };
}

/** A message about an earlier moment, such as a status after the statement, is no contradiction. */
function isOlder(from: TransferState, to: TransferState): boolean {
  return (from === 'returned' && to === 'paid') || (from === 'declined' && to === 'stopped');
}

interface Work {
  readonly step: (fact: BankFact, withdrawalId: string, to: TransferStep['to'], more?: Partial<TransferStep>) => void;
  readonly problems: MessageProblem[];
}

type OneWork = Work & {
  readonly sums: ReadonlyMap<BookedEntry, bigint>;
  readonly states: ReadonlyMap<string, TransferState>;
};

function judgeOne(fact: BankFact, transfer: KnownTransfer, work: OneWork): void {
  if (fact.kind === 'status') judgeStatus(fact, transfer, work);
  else judgeBooking(fact, transfer, work);
}

function judgeStatus(fact: BankFact, { withdrawalId, fileId }: KnownTransfer, { step, problems }: Work): void {
  const isDuplicateFile = fact.ofAll === 'RJCT' && isDuplicateReason(fact.reasonOfAll);
  const verdict = judgeTransfer(fact.status, isDuplicateFile ? fact.reasonOfAll : fact.reason, fact.ofAll);
  if (verdict.kind === 'pending') return;
  if (verdict.kind === 'paid') {
    step(fact, withdrawalId, 'paid');
    return;
  }
  // Only the file that may pay the transfer can reject it. An older rejection says nothing about a newer file.
  if (fileId === null || fact.fileId !== fileId) {
    problems.push({ line: fact.line, withdrawalId, problem: 'other-file' });
    return;
  }
  const reason = (isDuplicateFile ? undefined : fact.reason) ?? fact.reasonOfAll ?? fact.ofAll;
  step(fact, withdrawalId, verdict.kind, { reason });
}

function judgeBooking(fact: BankFact, transfer: KnownTransfer, { step, problems, sums, states }: OneWork): void {
  const { withdrawalId } = transfer;
  const isReturn = fact.kind === 'returned';
  const isOfSum = fact.entry !== undefined && sums.get(fact.entry) === fact.entry.amount;
  const { amount = isOfSum ? transfer.amount : undefined } = fact;
  // A bank may keep a fee of what comes back.
  // Nothing comes back by an amount of zero.
  const isGood =
    amount !== undefined && amount > 0n && (isReturn ? amount <= transfer.amount : amount === transfer.amount);
  if (!isGood || fact.currency !== transfer.currency) {
    problems.push({ line: fact.line, withdrawalId, problem: 'amount' });
    return;
  }
  if (!isReturn) {
    step(fact, withdrawalId, 'paid');
    return;
  }
  const state = states.get(withdrawalId);
  // Money that comes back has left before, also where the statement with the debit was never read.
  if (state !== 'paid' && state !== 'returned') step(fact, withdrawalId, 'paid');
  step(fact, withdrawalId, 'returned', { reason: fact.reason, returned: amount });
}

/** Transfers that a debit of a whole file may be for. Those that were rejected count only where the sum is not right without them. */
const DEBITED: readonly (readonly TransferState[])[] = [
  ['filed', 'paid', 'returned'],
  ['filed', 'paid', 'returned', 'stopped'],
];

function judgeFile(
  fact: BankFact,
  { files }: Books,
  {
    step,
    problems,
    rejectedFiles,
    named,
    ofFiles,
  }: Work & {
    readonly rejectedFiles: Set<string>;
    /** Transfers with a status of their own in this message: that of the file says nothing about them. */
    readonly named: ReadonlySet<string>;
    /** Transfers by their file. */
    readonly ofFiles: ReadonlyMap<string | null, readonly KnownTransfer[]>;
  },
): void {
  const file = fact.fileId === undefined ? undefined : files.get(fact.fileId);
  if (file === undefined) {
    if (fact.fileId !== undefined || fact.kind === 'status') problems.push({ line: fact.line, problem: 'unknown' });
    return;
  }
  const own = ofFiles.get(file.fileId) ?? [];
  if (fact.kind === 'status') {
    const { kind } = judgeTransfer(undefined, undefined, fact.ofAll);
    // After a duplicate the bank may execute the file that it had before.
    if (kind === 'stopped' && !isDuplicateReason(fact.reason)) rejectedFiles.add(file.fileId);
    if (kind !== 'stopped' && kind !== 'paid') return;
    for (const { withdrawalId, state } of own) {
      if ((state === 'filed' || state === kind) && !named.has(withdrawalId))
        step(fact, withdrawalId, kind, kind === 'stopped' ? { reason: fact.reason ?? 'RJCT' } : {});
    }
    return;
  }
  if (fact.kind === 'returned') {
    // Nothing says which transfers came back, so staff must ask the bank.
    problems.push({ line: fact.line, problem: 'contradiction' });
    return;
  }
  // A bank that executed only a part of the file books another sum, and names the transfers elsewhere.
  const debited = DEBITED.map((states) => own.filter(({ state }) => states.includes(state))).find(
    (some) => some.reduce((total, { amount }) => total + amount, 0n) === fact.amount,
  );
  if (fact.currency !== file.currency || debited === undefined) {
    problems.push({ line: fact.line, problem: 'amount' });
    return;
  }
  for (const { withdrawalId } of debited) step(fact, withdrawalId, 'paid');
}

function byFile({ transfers }: Books): Map<string | null, KnownTransfer[]> {
  const found = new Map<string | null, KnownTransfer[]>();
  for (const transfer of transfers.values()) {
    const others = found.get(transfer.fileId);
    if (others === undefined) found.set(transfer.fileId, [transfer]);
    else others.push(transfer);
  }
  return found;
}

/** The sums of our transfers in entries that say no amounts of single transfers. */
function sumsOfEntries(facts: readonly BankFact[], { transfers }: Books): Map<BookedEntry, bigint> {
  const sums = new Map<BookedEntry, bigint>();
  for (const { entry, withdrawalId } of facts) {
    if (entry === undefined || withdrawalId === undefined) continue;
    sums.set(entry, (sums.get(entry) ?? 0n) + (transfers.get(withdrawalId)?.amount ?? 0n));
  }
  return sums;
}
