/**
 * The writes of create calls, in batches: the concurrent creates of an operator share statements and commits. A call returns
 * after its own rows are committed.
 */
import { type Batch, batchesOfLane, createBatches } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import { isLockTimeout } from '../database/pool-database.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { DepositRow } from './deposit-row.ts';
import { insertDeposits, type NewDepositRow } from './insert-deposits.ts';
import { type AcceptedAnswer, keepRequests, type ProviderRequest, storeAnswers } from './store-answers.ts';

/**
 * How long a batch waits for a key that a cancel or a purchase holds in its transaction. They end within milliseconds, unless
 * their node has died.
 */
const MOST_WAIT_MS = 100;

export interface DepositWrites {
  /** Inserts a deposit like `insertDeposits`. */
  insert(deposit: NewDepositRow): Promise<DepositRow | undefined>;
  /** Stores the request to a provider before the call. Answers the stored one. */
  keepRequest(request: ProviderRequest): Promise<string>;
  /** Stores the answer of a provider like `storeAnswers`. */
  storeAnswer(answer: AcceptedAnswer): Promise<boolean>;
}

/** What create calls need: the ports of payments, and their shared writes. */
export interface DepositsCore extends PaymentsCore {
  readonly writes: DepositWrites;
}

export function withDepositWrites(core: PaymentsCore): DepositsCore {
  const { database } = core;
  const mostOfLane = batchesOfLane(database);
  const keepRequest = createBatches({
    run: (requests) => keepRequests(database, requests),
    laneOf: ({ operatorId }: ProviderRequest) => operatorId,
    mostOfLane,
  });
  const insert = createBatches({
    run: (deposits) => insertUnlessHeld(database, deposits),
    laneOf: ({ operatorId }: NewDepositRow) => operatorId,
    mostOfLane,
  });
  return {
    ...core,
    writes: {
      async insert(deposit) {
        const made = await insert(deposit);
        if (made !== 'held') return made;
        // Each deposit of the batch goes on alone, so that only the one with the held key waits.
        const [alone] = await insertDeposits(database, [deposit]);
        return alone;
      },
      async keepRequest(request) {
        const kept = (await keepRequest(request)) ?? (await keepRequest(request));
        if (kept === undefined) throw new Error(`The request of deposit ${request.depositId} was not stored`);
        return kept;
      },
      storeAnswer: createBatches({
        async run(answers) {
          const { isStored, isWoken } = await storeAnswers(database, answers);
          if (isWoken) core.onChange();
          return isStored;
        },
        laneOf: ({ row }: AcceptedAnswer) => row.operatorId,
        mostOfLane,
      }),
    },
  };
}

/** Inserts a batch. Answers `held` for each deposit when another transaction holds one of the keys: nothing is inserted. */
async function insertUnlessHeld(
  database: Database,
  deposits: Batch<NewDepositRow>,
): Promise<(DepositRow | undefined | 'held')[]> {
  try {
    return await insertDeposits(database, deposits, MOST_WAIT_MS);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return deposits.map(() => 'held' as const);
  }
}
