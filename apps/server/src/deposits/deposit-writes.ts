/**
 * The writes of create calls, in batches: the concurrent creates of an operator share statements and commits. A call returns
 * after its own rows are committed.
 */
import { createBatches } from '../database/batches.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { DepositRow } from './deposit-row.ts';
import { insertDeposits, type NewDepositRow } from './insert-deposits.ts';
import { type AcceptedAnswer, keepRequests, type ProviderRequest, storeAnswers } from './store-answers.ts';

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
  return {
    ...core,
    writes: {
      insert: createBatches({
        run: (deposits) => insertDeposits(database, deposits),
        laneOf: ({ operatorId }: NewDepositRow) => operatorId,
      }),
      keepRequest: createBatches({
        run: (requests) => keepRequests(database, requests),
        laneOf: ({ operatorId }: ProviderRequest) => operatorId,
      }),
      storeAnswer: createBatches({
        async run(answers) {
          const { isStored, isWoken } = await storeAnswers(database, answers);
          if (isWoken) core.onChange();
          return isStored;
        },
        laneOf: ({ row }: AcceptedAnswer) => row.operatorId,
      }),
    },
  };
}
