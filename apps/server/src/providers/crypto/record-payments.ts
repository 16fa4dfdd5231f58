/** Stores the payments to our addresses that a node reports, and asks for payments that are in no block yet. */
import type { AddressStore } from './addresses/address-store.ts';
import { type ChainSource, type IncomingPayment, NodeError } from './chain/chain-source.ts';
import { inTurns } from './chain/node-http.ts';
import type { CryptoStore, StoredOutput } from './crypto-store.ts';
import { keepUnassigned, type UnassignedRule } from './unassigned-payments.ts';

interface RecordedChain {
  readonly key: string;
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  readonly lifetimeS: number;
  readonly unassigned?: UnassignedRule;
}

interface RecordParts {
  readonly store: CryptoStore;
  readonly addresses: AddressStore;
  readonly log: { warn(fields: object, message: string): void };
}

/** The most addresses that one round asks for unconfirmed payments. */
const MOST_ASKED = 30;

/**
 * Asks for unconfirmed payments: to addresses with an open payment in no block, and to addresses whose turn has come. The number is
 * bounded, because the scan of blocks finds every payment in the end.
 * @returns whether an open payment is still on its way. Undefined where its address was not asked for
 */
export async function askUnconfirmed(chain: RecordedChain, { store, addresses, log }: RecordParts) {
  const [source] = chain.sources;
  const asked = new Set<string>();
  const found = new Set<string>();
  if (source.unconfirmed !== undefined) {
    const open = (await store.open(chain.key))
      .filter(
        ({ block, reported, goneAtHeight }) =>
          reported !== 'gone' && (block === undefined || goneAtHeight !== undefined),
      )
      .map(({ address }) => address);
    const due = await addresses.takeDueLooks(chain.key, chain.lifetimeS, MOST_ASKED);
    const turn = [...new Set([...open.slice(0, MOST_ASKED), ...due])];
    let hasFailed = false;
    const answers = await inTurns(
      turn,
      async (address): Promise<readonly IncomingPayment[]> => {
        if (hasFailed || source.unconfirmed === undefined) return [];
        try {
          const found = await source.unconfirmed(address);
          asked.add(address);
          return found;
        } catch (error) {
          if (!(error instanceof NodeError)) throw error;
          // Not fatal: the scan of blocks finds the payment once it is in a block.
          hasFailed = true;
          log.warn({ chain: chain.key, err: error }, 'unconfirmed payments could not be read from the node');
          return [];
        }
      },
      4,
    );
    const payments = answers.flat();
    for (const { txid, address } of payments) found.add(`${txid} ${address}`);
    await recordPayments(chain, payments, { store, addresses });
  }
  return ({ txid, address }: StoredOutput): boolean | undefined =>
    asked.has(address) ? found.has(`${txid} ${address}`) : undefined;
}

/** Stores payments to our addresses in the asset that each was given for, and unassigned payments to a shared wallet. */
export async function recordPayments(
  chain: RecordedChain,
  payments: readonly IncomingPayment[],
  { store, addresses }: Pick<RecordParts, 'store' | 'addresses'>,
): Promise<void> {
  if (payments.length === 0) return;
  const wanted = await addresses.watchedOf(chain.key, [...new Set(payments.map(({ address }) => address))]);
  const isWanted = ({ address, contract = '' }: IncomingPayment): boolean => wanted.get(address) === contract;
  const unwanted = payments.filter((payment) => !isWanted(payment));
  const shared =
    chain.unassigned && unwanted.length > 0
      ? await ofSharedWallet(addresses, chain.key, chain.unassigned, unwanted)
      : [];
  await store.record(chain.key, [...payments.filter(isWanted), ...shared]);
}

/**
 * Payments to the shared wallet whose memo is not watched. A memo belongs to its deposit for ever. A later round reads a payment
 * again that was stored while its memo was watched. It must not become an unassigned payment then.
 */
async function ofSharedWallet(
  store: AddressStore,
  chain: string,
  rule: UnassignedRule,
  payments: readonly IncomingPayment[],
): Promise<IncomingPayment[]> {
  const given = await store.givenOf(
    chain,
    payments.map(({ address }) => address),
  );
  const isGiven = ({ address, contract = '' }: IncomingPayment): boolean => given.get(address) === contract;
  const unassigned = payments.filter((payment) => !isGiven(payment));
  return [...payments.filter(isGiven), ...(await keepUnassigned(store, chain, rule, unassigned))];
}
