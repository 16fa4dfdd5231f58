/** Writes down what a node tells of payments to our addresses, and asks what is on its way to some of them. */
import type { AddressStore } from './addresses/address-store.ts';
import { type ChainSource, type Incoming, NodeError } from './chain/chain-source.ts';
import { inTurns } from './chain/node-http.ts';
import type { CryptoStore, StoredOutput } from './crypto-store.ts';
import { keepStrays, type Strays } from './stray.ts';

interface RecordedChain {
  readonly key: string;
  readonly sources: readonly [ChainSource, ...ChainSource[]];
  readonly lifetimeS: number;
  readonly strays?: Strays;
}

interface RecordParts {
  readonly store: CryptoStore;
  readonly addresses: AddressStore;
  readonly log: { warn(fields: object, message: string): void };
}

/** Of payments that are in no block yet, in one round. */
const MOST_LOOKS = 30;

/**
 * Asks what is on its way to some addresses: those whose payment was seen in no block, and those whose turn it is. The number is
 * bounded, however many are waited for: what is in a block is found by the blocks.
 * @returns of an open payment whether it is on its way; undefined: its address was not asked for
 */
export async function lookAhead(chain: RecordedChain, { store, addresses, log }: RecordParts) {
  const [source] = chain.sources;
  const asked = new Set<string>();
  const found = new Set<string>();
  if (source.unconfirmed !== undefined) {
    const open = (await store.open(chain.key))
      .filter(({ block, told, goneAtHeight }) => told !== 'gone' && (block === undefined || goneAtHeight !== undefined))
      .map(({ address }) => address);
    const due = await addresses.takeDueLooks(chain.key, chain.lifetimeS, MOST_LOOKS);
    const turn = [...new Set([...open.slice(0, MOST_LOOKS), ...due])];
    let hasFailed = false;
    const answers = await inTurns(
      turn,
      async (address): Promise<readonly Incoming[]> => {
        if (hasFailed || source.unconfirmed === undefined) return [];
        try {
          const found = await source.unconfirmed(address);
          asked.add(address);
          return found;
        } catch (error) {
          if (!(error instanceof NodeError)) throw error;
          // Only a look ahead: what is in a block is found all the same.
          hasFailed = true;
          log.warn({ chain: chain.key, err: error }, 'payments on their way could not be asked for');
          return [];
        }
      },
      4,
    );
    const parts = answers.flat();
    for (const { txid, address } of parts) found.add(`${txid} ${address}`);
    await recordOurs(chain, parts, { store, addresses });
  }
  return ({ txid, address }: StoredOutput): boolean | undefined =>
    asked.has(address) ? found.has(`${txid} ${address}`) : undefined;
}

/** Writes down what is of our addresses, in the coin that each was given for, and what lies in the one wallet for nobody. */
export async function recordOurs(
  chain: RecordedChain,
  parts: readonly Incoming[],
  { store, addresses }: Pick<RecordParts, 'store' | 'addresses'>,
): Promise<void> {
  if (parts.length === 0) return;
  const wanted = await addresses.watchedOf(chain.key, [...new Set(parts.map(({ address }) => address))]);
  const isWanted = ({ address, contract = '' }: Incoming): boolean => wanted.get(address) === contract;
  const unwanted = parts.filter((part) => !isWanted(part));
  const shared =
    chain.strays && unwanted.length > 0 ? await ofSharedWallet(addresses, chain.key, chain.strays, unwanted) : [];
  await store.record(chain.key, [...parts.filter(isWanted), ...shared]);
}

/**
 * What came to the one wallet beside what is watched. A memo stays its deposit's for ever: a payment that was booked for it while it was
 * watched is met again by the rounds after, and must not be taken for another one.
 */
async function ofSharedWallet(
  store: AddressStore,
  chain: string,
  strays: Strays,
  parts: readonly Incoming[],
): Promise<Incoming[]> {
  const given = await store.givenOf(
    chain,
    parts.map(({ address }) => address),
  );
  const isGiven = ({ address, contract = '' }: Incoming): boolean => given.get(address) === contract;
  const nobodys = parts.filter((part) => !isGiven(part));
  return [...parts.filter(isGiven), ...(await keepStrays(store, chain, strays, nobodys))];
}
