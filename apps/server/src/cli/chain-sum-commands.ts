/** Commands that count all payments of chains again, and list what a recount corrected (SRV-1, docs/reconciliation.md#balances-of-chains). */
import type { Database } from '../database/database.ts';
import { counted } from '../languages/counted.ts';
import { chainCorrections } from '../settlements/chain-corrections.ts';
import { recountSums } from '../settlements/recount-sums.ts';
import type { AddCommands, Output } from './command.ts';
import { actorOf, jsonOption, print, printJson, type Row } from './listing.ts';
import { optionNeeds } from './option-needs.ts';

const PARTS = {
  credited: 'credited, in minor units',
  paidOut: 'paid out, in minor units',
  rests: 'parts of minor units, in units of the chain',
  sent: 'sent, in units of the chain',
  cost: 'network fees, in units of the chain',
  unit: 'units of the chain in a minor unit',
} as const;

const MOST_LISTED = 200;

type Correction = Awaited<ReturnType<typeof chainCorrections>>[number];

export const addChainSumCommands: AddCommands = (program, { output, withDatabase }) => {
  program
    .command('recount-chains')
    .description('counts all payments of chains again; exit code 1 if a sum that is kept differs')
    .option('--correct', 'keeps what was counted instead; needs --by')
    .option('--by <name>', 'who corrects, for the record')
    .hook('preAction', optionNeeds({ '--correct': ['--by'], '--by': ['--correct'] }))
    .action(({ by }) => {
      const correctedBy = by === undefined ? undefined : actorOf(by).by;
      return withDatabase((database) => recount(database, output, correctedBy));
    });
  program
    .command('chain-corrections')
    .description(
      `lists the newest ${MOST_LISTED} corrections of kept sums of chains, by people and by new decimals in the settings`,
    )
    .option(...jsonOption)
    .action(({ json = false }) =>
      withDatabase(async (database) => {
        const corrections = await chainCorrections(database, MOST_LISTED);
        if (json) printJson(output, corrections.map(wordsOf));
        else print(output, corrections.flatMap(rowsOf), (row) => row, false);
        return 0;
      }),
    );
};

async function recount(database: Database, output: Output, correctedBy: string | undefined): Promise<0 | 1> {
  let chains = 0;
  let faults = 0;
  // A chain that was ended is said at once, also when a later one fails.
  for await (const { chain, wrong, leftWrongly } of recountSums(database, correctedBy)) {
    chains += 1;
    faults += wrong.length + leftWrongly;
    for (const { operatorId, wallet, contract, part, kept, counted } of wrong) {
      const place = [chain, operatorId, wallet, contract].filter((name) => name !== '').join(' ');
      output.out(`${place}: ${PARTS[part]}: ${kept} is kept, and ${counted} was counted.`);
    }
    if (leftWrongly > 0) output.out(`${chain}: ${counted(leftWrongly, 'payment')} no longer compared, but should be.`);
    const isRight = wrong.length === 0 && leftWrongly === 0;
    const end = correctedBy === undefined ? 'NOT right. --correct corrects it' : 'corrected';
    output.out(`${chain}: ${isRight ? 'right' : end}.`);
  }
  if (chains === 0) output.out('No chain was counted yet. The first comparison of a chain counts it.');
  return faults === 0 ? 0 : 1;
}

const wordsOf = ({ chain, by, at, replaced, readAgain }: Correction) => ({
  at: at.toISOString(),
  by,
  chain,
  sums: replaced,
  paymentsReadAgain: readAgain,
});

/** A row for each sum, and one for the payments that comparisons read again. */
function rowsOf({ by, at, chain, replaced, readAgain }: Correction): Row[] {
  const made = { at: at.toISOString(), by, chain };
  const sums = replaced.map(({ operatorId, wallet, contract, part, kept, counted }) => ({
    ...made,
    operator: operatorId || undefined,
    wallet: wallet || undefined,
    contract: contract || undefined,
    what: PARTS[part],
    kept,
    counted,
  }));
  const again = { ...made, what: 'payments that are compared again', counted: readAgain };
  return readAgain > 0 ? [...sums, again] : sums;
}
