/** Commands for a hot wallet that was used without the cashier: two people accept it (docs/runbooks/HotWalletUsedElsewhere.md). */
import type { Command } from '@commander-js/extra-typings';
import { staffSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import {
  decideUse,
  proposeUse,
  type WalletAcceptance,
  walletAcceptances,
} from '../providers/crypto/payouts/wallet-acceptances.ts';
import { type AddCommands, type Session, UsageError } from './command.ts';
import { print, type Row, readOptions } from './listing.ts';

const MOST_LISTED = 200;

const proposeSchema = v.object({
  staff: staffSchema,
  // A second person reads it in a list before the decision, so it must not look like other rows.
  reason: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.maxLength(200),
    v.regex(/^[^\p{Cc}]*$/u, 'no control characters'),
  ),
});
const decideSchema = v.object({ staff: staffSchema, proposal: v.pipe(v.string(), v.uuid()) });

export const addAcceptUseCommand: AddCommands = (payouts, session) => {
  const use = payouts
    .command('accept-use')
    .description('two people let a hot wallet pay out again that was used without the cashier');
  addPropose(use, session);
  addDecision(use, session, 'confirm');
  addDecision(use, session, 'reject');
  addList(use, session);
};

function addPropose(use: Command, { output, withDatabase }: Session): void {
  use
    .command('propose')
    .description('proposes to accept the use, once somebody knows the transactions that the cashier does not know')
    .argument('<chain>', 'the chain of the wallet, as in `CRYPTO_FILE`')
    .requiredOption('--next <number>', 'the nonce or seqno after the last transaction that somebody looked up')
    .requiredOption('--by <name>', 'who looked up the transactions')
    .requiredOption('--reason <text>', 'what the transactions are')
    .option('--wallet <address>', 'its address, where the chain has had several wallets')
    .action((chain, { next, by, reason: why, wallet }) => {
      if (!/^\d{1,18}$/.test(next)) throw new UsageError('--next must be the nonce or seqno of the next transaction.');
      const { staff, reason } = readOptions(proposeSchema, { staff: by, reason: why });
      return withDatabase(async (database) => {
        const { id } = await proposeUse(database, { chain, slot: BigInt(next), by: staff, reason, wallet });
        output.out(`Proposed as ${id}. Another person must confirm it.`);
        return 0;
      });
    });
}

function addDecision(use: Command, { output, withDatabase }: Session, decision: 'confirm' | 'reject'): void {
  use
    .command(decision)
    .description(decision === 'confirm' ? 'accepts the use that another person proposed' : 'rejects a proposal')
    .argument('<proposal>', 'a proposal of `coin-payouts accept-use list`')
    .requiredOption('--by <name>', 'who decides')
    .action((id, { by }) => {
      const { staff, proposal } = readOptions(decideSchema, { proposal: id, staff: by });
      return withDatabase(async (database) => {
        await decideUse(database, proposal, { decision, by: staff });
        const goOn = 'Accepted. The payouts of the wallet go on if the nodes show no other transactions.';
        output.out(decision === 'confirm' ? goOn : 'Rejected. Nothing was accepted.');
        return 0;
      });
    });
}

function addList(use: Command, { output, withDatabase }: Session): void {
  use
    .command('list')
    .description(`lists the newest ${MOST_LISTED} proposals for wallets of a chain, with who decided and when`)
    .argument('<chain>', 'the chain of the wallets')
    .option('--json', 'as JSON')
    .action((chain, { json = false }) =>
      withDatabase(async (database) => {
        const rows = await walletAcceptances(database, chain, MOST_LISTED);
        print(output, rows.map(wordsOf), rowOf, json);
        return 0;
      }),
    );
}

function wordsOf({ id, slot, doubt, nodesNext, slotBefore, proposed, decidedBy, decided, ...row }: WalletAcceptance) {
  return {
    proposal: id,
    ...row,
    next: slot,
    ...(slotBefore !== null && { nextBefore: slotBefore }),
    ...(doubt !== null && { doubt }),
    ...(nodesNext !== null && { nodesNext }),
    proposed: proposed.toISOString(),
    ...(decidedBy !== null && { decidedBy }),
    ...(decided !== null && { decided: decided.toISOString() }),
  };
}

const rowOf = (one: ReturnType<typeof wordsOf>): Row => ({
  proposal: one.proposal,
  wallet: one.wallet,
  next: one.next,
  before: one.nextBefore,
  doubt: one.doubt,
  nodes: one.nodesNext,
  state: one.state,
  by: one.proposedBy,
  at: one.proposed,
  decided: one.decidedBy,
  when: one.decided,
  reason: one.reason,
});
