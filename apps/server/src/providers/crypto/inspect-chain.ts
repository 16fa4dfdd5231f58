/** Checks whether a chain can be watched with its settings. The operator reads the result before anybody sends money there. */
import type { Clock } from '@opencashier/core/time/clock';
import type { ChainSource, Tip } from './chain/chain-source.ts';
import { networkOfKey } from './chain/receiving-address.ts';
import { openChain } from './crypto.ts';
import type { ChainSettings } from './crypto-settings.ts';
import { knownToken } from './known-tokens.ts';
import { splitDestination } from './ton/ton-wallet.ts';

/** `advice` says what to do, where something is wrong. Values of the settings are never repeated, except the first address. */
export interface ChainFinding {
  readonly name: string;
  readonly found: string;
  readonly advice?: string;
}

/** A node has stopped when its newest block is older than this many intervals and than five minutes. */
const OLD_INTERVALS = 20;
const OLD_MS = 300_000;

/** The first address that a wallet shows, for comparison. Deposits get other addresses. */
const FIRST = { branch: 0, index: 0 };

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Asks every node of the chain. A failure is a finding and never thrown. */
export async function inspectChain(key: string, settings: ChainSettings, clock: Clock): Promise<ChainFinding[]> {
  let chain: ReturnType<typeof openChain>;
  try {
    chain = openChain(key, settings, silent);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return [{ name: `chain ${key}`, found, advice: 'Fix the account or the tokens of this chain.' }];
  }
  const nodes = await Promise.all(
    chain.sources.map((source, index) => inspectNode(source, `node ${index + 1} of ${key}`, chain, clock)),
  );
  return [
    accountFinding(key, settings, chain),
    ...tokenFindings(key, settings),
    ...nodes.map(({ finding }) => finding),
    ...(await agreement(key, nodes)),
  ];
}

function accountFinding(key: string, { account }: ChainSettings, chain: ReturnType<typeof openChain>): ChainFinding {
  const name = `account of ${key}`;
  if (chain.preparedAddresses !== undefined) {
    const found = `${chain.preparedAddresses} prepared addresses, the first is ${chain.addressAt(FIRST)}`;
    return { name, found: `${found}; check that your wallet has its key` };
  }
  if (chain.unassigned !== undefined) {
    const found = `the wallet is ${splitDestination(chain.addressAt(FIRST)).wallet}`;
    return { name, found: `${found}; compare it with the address in your wallet` };
  }
  const found = `its first address is ${chain.addressAt(FIRST)}; compare it with the address in your wallet`;
  const network = networkOfKey(account);
  if (network === undefined || network === key || (network === 'bitcoin' && key === 'litecoin')) return { name, found };
  return { name, found, advice: `The key belongs to ${network === 'test' ? 'a test network' : network}.` };
}

/** A token under a known coin's name but with another contract. It may be a bridged form, which is other money. */
function tokenFindings(key: string, { tokens }: ChainSettings): ChainFinding[] {
  return Object.entries(tokens).flatMap(([coin, { contract }]) => {
    const known = knownToken(key, coin);
    if (known === undefined || known.contract.toLowerCase() === contract.trim().toLowerCase()) return [];
    const found = `the contract is not the issuer's, which is ${known.contract}`;
    const advice = `Leave "contract" and "decimals" out for the issuer's ${coin}. Give another token another name.`;
    return [{ name: `token ${coin} of ${key}`, found, advice }];
  });
}

interface InspectedNode {
  readonly finding: ChainFinding;
  readonly source: ChainSource;
  readonly tip?: Tip;
}

async function inspectNode(
  source: ChainSource,
  name: string,
  { kind, intervalMs }: ReturnType<typeof openChain>,
  clock: Clock,
): Promise<InspectedNode> {
  try {
    const tip = await source.tip();
    const genesis = kind.genesis === undefined ? undefined : await source.hashAt(0);
    if (tip.isForeign || (kind.genesis !== undefined && genesis !== kind.genesis)) {
      return {
        source,
        finding: { name, found: 'reachable', advice: `The node belongs to another chain. Use a node of ${kind.name}.` },
      };
    }
    const ageMs = tip.minedAt === undefined ? undefined : clock.now() - tip.minedAt;
    const age = ageMs === undefined ? 'of unknown age' : `${Math.max(0, Math.round(ageMs / 1000))} s old`;
    const final = source.finalHeight === undefined ? '' : `, final up to block ${await source.finalHeight()}`;
    const found = `reachable, block ${tip.height}, ${age}${final}`;
    const isOld = ageMs !== undefined && ageMs > Math.max(intervalMs * OLD_INTERVALS, OLD_MS);
    const advice =
      'The node has no new blocks, so payments are not seen. Check that the node is in sync with its chain.';
    return { source, tip, finding: { name, found, ...(isOld && { advice }) } };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return {
      source,
      finding: {
        name,
        found,
        advice: 'Check the address and the key of the node. Nothing is credited until it answers.',
      },
    };
  }
}

/** Nodes may be some blocks apart, but must have the same blocks below. */
async function agreement(key: string, nodes: readonly InspectedNode[]): Promise<ChainFinding[]> {
  const known = nodes.flatMap(({ source, tip }) => (tip === undefined ? [] : [{ source, height: tip.height }]));
  if (known.length < 2) return [];
  const name = `nodes of ${key}`;
  const height = Math.max(0, Math.min(...known.map((node) => node.height)) - 6);
  try {
    const hashes = await Promise.all(known.map(({ source }) => source.hashAt(height)));
    if (new Set(hashes).size === 1 && hashes[0] !== undefined) return [{ name, found: `agree on block ${height}` }];
    const advice =
      'Nothing is credited while the nodes disagree. One of them is on another branch or on another chain.';
    return [{ name, found: `disagree on block ${height}`, advice }];
  } catch (error) {
    return [
      {
        name,
        found: error instanceof Error ? error.message : String(error),
        advice: 'Run the doctor again. If the error stays, check the nodes.',
      },
    ];
  }
}
