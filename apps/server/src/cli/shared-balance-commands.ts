/** Commands for the wallets that all operators share: two people of the installation's staff accept their differences (SRV-1). */
import { readFileSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { staffSchema } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { isUnwatched, needsStaff } from '@opencashier/core/reconciliation/shared-balance';
import * as v from 'valibot';
import { namesCoin, readCryptoSettings } from '../providers/crypto/crypto-settings.ts';
import {
  decideShared,
  proposeShared,
  type SharedAcceptance,
  sharedAcceptances,
} from '../settlements/shared-acceptances.ts';
import { type LatestShared, latestShared, type NeverCompared, neverCompared } from '../settlements/shared-balances.ts';
import { type AddCommands, type Session, UsageError } from './command.ts';
import { print, type Row, readOptions } from './listing.ts';

const MOST_LISTED = 200;

const proposeSchema = v.object({
  staff: staffSchema,
  reason: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)),
});
const decideSchema = v.object({ staff: staffSchema, proposal: v.pipe(v.string(), v.uuid()) });

export const addSharedBalanceCommands: AddCommands = (program, session) => {
  const shared = program.command('shared-balances').description('wallets that all operators share, such as on TON');
  addList(shared, session);
  addPropose(shared, session);
  addDecision(shared, session, 'confirm');
  addDecision(shared, session, 'reject');
};

function addList(shared: Command, session: Session): void {
  const { output, withDatabase } = session;
  shared
    .command('list')
    .description(
      'the last reading of each coin; exit code 1 if one differs from the books of all operators, or is out of date or was never compared although it is watched',
    )
    .option('--proposals', `the newest ${MOST_LISTED} proposals to accept a difference, with who decided`)
    .option('--json', 'as JSON')
    .action(({ proposals = false, json = false }) =>
      withDatabase(async (database) => {
        if (proposals) {
          const rows = await sharedAcceptances(database, MOST_LISTED);
          print(output, rows.map(acceptanceWords), acceptanceRow, json);
          return 0;
        }
        const names = namedCoins(session);
        const watched = <One extends LatestShared | NeverCompared>(row: One) => ({
          row,
          watch: { unwatchedForMs: row.unwatchedForMs, isInSettings: names(row.chain, row.currency) },
        });
        const rows = (await latestShared(database)).map(watched);
        const never = (await neverCompared(database)).map(watched);
        print(
          output,
          [
            ...rows.map(({ row, watch }) => latestWords(row, isUnwatched(watch))),
            ...never.filter(({ watch }) => !isUnwatched(watch)).map(({ row }) => neverWords(row)),
          ],
          latestRow,
          json,
        );
        return [...rows, ...never].some(({ row, watch }) => needsStaff(row, watch)) ? 1 : 0;
      }),
    );
}

/** Whether the settings of this command name a coin. So the coins of a cashier that stands still are not taken for coins that left. */
function namedCoins({ config, output }: Session): (chain: string, coin: string) => boolean {
  const { cryptoFile, chainKeys } = config();
  if (cryptoFile === undefined) return () => false;
  try {
    const settings = readCryptoSettings(readFileSync(cryptoFile, 'utf8'), chainKeys);
    return (chain, coin) => namesCoin(settings, chain, coin);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    output.error(`CRYPTO_FILE cannot be read, so no coin counts as unwatched: ${why}`);
    return () => true;
  }
}

function addPropose(shared: Command, { output, withDatabase }: Session): void {
  shared
    .command('propose')
    .description('proposes to accept the difference of the last reading, once somebody knows where it is from')
    .argument('<chain>', 'as in `CRYPTO_FILE`')
    .argument('<currency>', 'of the coin')
    .requiredOption('--difference <amount>', 'as `shared-balances list` shows it, such as -12.5')
    .requiredOption('--by <name>', 'who looked up the transactions')
    .requiredOption('--reason <text>', 'where the difference is from')
    .action((chain, currency, { difference: text, by, reason: why }) => {
      const { staff, reason } = readOptions(proposeSchema, { staff: by, reason: why });
      if (findCurrency(currency) === undefined) throw new UsageError(`The currency ${currency} is not known.`);
      const difference = parseDecimal(text, decimalsOf(currency), { signed: true });
      if (!difference.ok) throw new UsageError('--difference must be an amount, such as -12.5.');
      return withDatabase(async (database) => {
        const wanted = { chain, currency, difference: difference.minor, by: staff, reason };
        const { id } = await proposeShared(database, wanted);
        output.out(`Proposed as ${id}. Another person must confirm it.`);
        return 0;
      });
    });
}

function addDecision(shared: Command, { output, withDatabase }: Session, decision: 'confirm' | 'reject'): void {
  shared
    .command(decision)
    .description(decision === 'confirm' ? 'accepts the difference that another person proposed' : 'rejects a proposal')
    .argument('<proposal>', 'a proposal of `shared-balances list --proposals`')
    .requiredOption('--by <name>', 'who decides')
    .action((id, { by }) => {
      const { staff, proposal } = readOptions(decideSchema, { proposal: id, staff: by });
      return withDatabase(async (database) => {
        await decideShared(database, proposal, { decision, by: staff });
        output.out(decision === 'confirm' ? 'The difference is accepted.' : 'Rejected. Nothing was accepted.');
        return 0;
      });
    });
}

/** Amounts are decimal strings. `notComparedSince`: the numbers of the reading are old. `unwatchedSince`: the coin has left the settings. */
function latestWords(
  { chain, currency, lastHeight, readAt, isOutOfDate, watchedAt, ...row }: LatestShared,
  hasLeft: boolean,
) {
  const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
  const read = readAt.toISOString();
  return {
    chain,
    currency,
    found: written(row.found),
    expected: written(row.expected),
    accepted: written(row.accepted),
    difference: written(row.difference),
    lastBlock: Number(lastHeight),
    read,
    ...(isOutOfDate && !hasLeft && { notComparedSince: read }),
    ...(hasLeft && { unwatchedSince: watchedAt.toISOString() }),
  };
}

/** It has no numbers yet. */
const neverWords = ({ chain, currency, watchedSince }: NeverCompared) => ({
  chain,
  currency,
  neverComparedSince: watchedSince.toISOString(),
});

function latestRow(words: ReturnType<typeof latestWords> | ReturnType<typeof neverWords>): Row {
  if ('neverComparedSince' in words) {
    const { neverComparedSince, ...place } = words;
    return { ...place, read: `never compared since ${neverComparedSince}` };
  }
  const { notComparedSince, unwatchedSince, read, ...row } = words;
  if (unwatchedSince !== undefined) return { ...row, read: `unwatched since ${unwatchedSince}` };
  return { ...row, read: notComparedSince === undefined ? read : `not compared since ${notComparedSince}` };
}

function acceptanceWords({ id, currency, difference, proposed, decidedBy, decided, ...row }: SharedAcceptance) {
  return {
    proposal: id,
    currency,
    ...row,
    difference: toDecimalString(difference, decimalsOf(currency)),
    proposed: proposed.toISOString(),
    ...(decidedBy !== null && { decidedBy }),
    ...(decided !== null && { decided: decided.toISOString() }),
  };
}

const acceptanceRow = (one: ReturnType<typeof acceptanceWords>): Row => ({
  proposal: one.proposal,
  chain: one.chain,
  currency: one.currency,
  difference: one.difference,
  state: one.state,
  by: one.proposedBy,
  decided: one.decidedBy,
  reason: one.reason,
});
