/** Commands about receiving addresses of coins (SRV-4). They find addresses that the database lost in a restore. */

import { readFileSync } from 'node:fs';
import { pause } from '@opencashier/core/time/pause';
import { AddressStore, type KnownSeries } from '../providers/crypto/addresses/address-store.ts';
import { findLost, type LostAddress, type LostSearch, pathOf } from '../providers/crypto/addresses/lost-addresses.ts';
import { NodeError } from '../providers/crypto/chain/chain-source.ts';
import { type OpenChain, openChain } from '../providers/crypto/crypto.ts';
import { readCryptoSettings } from '../providers/crypto/crypto-settings.ts';
import { type AddCommands, CommandError, type Session, UsageError } from './command.ts';
import { actorOf } from './listing.ts';
import { optionNeeds } from './option-needs.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const DEPTH = 100;
const MOST = 10_000;
const MOST_SERIES = 1000;
/** After this many failures in a row the command fails. */
const MOST_FAILURES = 5;
const FAILURE_PAUSE_MS = 5_000;
const SAID_EVERY_MS = 5_000;

/** The options of `addresses lost`. */
interface Request {
  readonly depth: number;
  readonly series: { readonly chain: string; readonly branch: number } | undefined;
  /** Who acknowledges the addresses found. Absent: they are only listed. */
  readonly acknowledgedBy: string | undefined;
}

export const addAddressCommands: AddCommands = (program, session) => {
  const addresses = program.command('addresses').description('receiving addresses of coins');
  addresses
    .command('lost')
    .description('lists used addresses that the database lost in a restore; exit code 1 until they are acknowledged')
    .option('--depth <number>', `addresses to check after the last known one, at most ${MOST}`, String(DEPTH))
    .option('--series <chain/branch>', 'checks only this series of addresses; the log has its name')
    .option('--acknowledge', 'marks the addresses found as known')
    .option('--by <name>', 'who acknowledges')
    .hook('preAction', optionNeeds({ '--acknowledge': ['--by'], '--by': ['--acknowledge'] }))
    .action((options) => {
      const request = readRequest(options);
      const { cryptoFile, chainKeys } = session.config();
      if (cryptoFile === undefined) throw new CommandError('CRYPTO_FILE is not set: no coins are watched.');
      const settings = readCryptoSettings(readFileSync(cryptoFile, 'utf8'), chainKeys);
      return session.withDatabase((database) => listLost(new AddressStore(database), settings, request, session));
    });
};

/** @throws UsageError */
function readRequest(options: { depth: string; series?: string; by?: string }): Request {
  const depth = Number(options.depth);
  if (!Number.isInteger(depth) || depth < 1 || depth > MOST)
    throw new UsageError(`--depth must be a whole number from 1 to ${MOST}.`);
  return {
    depth,
    series: options.series === undefined ? undefined : readSeries(options.series),
    acknowledgedBy: options.by === undefined ? undefined : actorOf(options.by).by,
  };
}

/** @returns the exit code: 1 if it finds an address that nobody has acknowledged */
async function listLost(
  store: AddressStore,
  settings: ReturnType<typeof readCryptoSettings>,
  { depth, series: named, acknowledgedBy }: Request,
  { output, clock }: Session,
): Promise<number> {
  let isNews = false;
  for (const [key, chainSettings] of Object.entries(settings.chains)) {
    if (named !== undefined && named.chain !== key) continue;
    const chain = openChain(key, chainSettings, silent, clock);
    const known = await store.series(key, chain.account, MOST_SERIES);
    const series = named === undefined ? known : [seriesOf(known, named.branch)];
    const search = { series, depth, most: MOST, withAcknowledged: true };
    const lost = await findPatiently(chain, store, search, { clock, output });
    for (const { place, address, isNew } of lost) {
      output.out(`${key} ${pathOf(place)} ${address}${isNew ? '' : ' (acknowledged)'}`);
      if (acknowledgedBy !== undefined) {
        await store.acknowledge(key, chain.account, { ...place, index: place.index + 1 }, acknowledgedBy);
      } else isNews ||= isNew;
    }
    if (lost.length === 0) output.out(`${key}: the database knows all used addresses`);
  }
  return isNews ? 1 : 0;
}

/**
 * Asks the nodes at the same rate as the watch, and reports its progress. When no node answers, it waits and then continues with the
 * addresses that are not checked yet.
 */
async function findPatiently(
  chain: OpenChain,
  store: AddressStore,
  search: LostSearch,
  { clock, output }: Pick<Session, 'clock' | 'output'>,
): Promise<LostAddress[]> {
  const answers = new Map<string, boolean>();
  let saidAt = clock.now();
  const onAnswer = (branch: number, asked: number, of: number): void => {
    if (clock.now() - saidAt < SAID_EVERY_MS) return;
    saidAt = clock.now();
    output.progress(`${chain.key}/${branch}: ${asked} of ${of} addresses checked`);
  };
  for (let failures = 0; ; ) {
    const known = answers.size;
    try {
      return await findLost(chain, store, search, { answers, onAnswer });
    } catch (error) {
      failures = answers.size > known ? 1 : failures + 1;
      if (!(error instanceof NodeError) || failures >= MOST_FAILURES) throw error;
      output.progress(`${chain.key}: ${error.message}; trying again`);
      await pause(clock, FAILURE_PAUSE_MS);
    }
  }
}

function readSeries(value: string): { readonly chain: string; readonly branch: number } {
  const [, chain, branch] = /^([a-z]+)\/(\d{1,10})$/.exec(value) ?? [];
  if (chain === undefined) throw new UsageError('--series must be a name from the log, such as bitcoin/28512345.');
  return { chain, branch: Number(branch) };
}

/** A series that the database has lost starts at its first address: only the log knows its name. */
function seriesOf(known: readonly KnownSeries[], branch: number): KnownSeries {
  return known.find((one) => one.branch === branch) ?? { branch, lastIndex: -1, acknowledgedTo: 0 };
}
