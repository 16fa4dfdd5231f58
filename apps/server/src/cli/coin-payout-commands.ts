/** Commands for coin payouts that wait or are being checked (WD-2). */
import { paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { NodeError } from '../providers/crypto/chain/chain-source.ts';
import { confirmPayout } from '../providers/crypto/payouts/confirm-payout.ts';
import {
  type CheckedPayout,
  checkedPayouts,
  decidePayout,
  type PastDecision,
  PayoutDecisionError,
  pastDecisions,
  type WaitingPayout,
  waitingPayouts,
} from '../providers/crypto/payouts/decide-payout.ts';
import { PayoutStore } from '../providers/crypto/payouts/payout-store.ts';
import { addAcceptUseCommand } from './accept-use-command.ts';
import { addCoinSignatureCommands } from './coin-signature-commands.ts';
import { type AddCommands, CommandError, UsageError } from './command.ts';
import { actorOf, operatorArgument, operatorIdOf, print, type Row } from './listing.ts';
import { openPayingWallet } from './paying-wallets.ts';

const payoutArgument = ['<withdrawal>', 'id of the withdrawal, from `coin-payouts checked`'] as const;
const MOST_LISTED = 200;
const DECISIONS = {
  again: 'asks the signer for the same transaction again, or for a new one where the first can never be mined',
  release: 'lets other payouts use its nonce or coins; afterwards it can be paid again or declined',
  decline: 'ends a payout that has not begun or can never be mined; its amount returns to the balance',
} as const;

const byOption = ['--by <name>', 'who decides'] as const;

export const addCoinPayoutCommands: AddCommands = (program, session) => {
  const { output, withDatabase } = session;
  const payouts = program.command('coin-payouts').description('payouts of coins that wait or are being checked');
  payouts
    .command('checked')
    .description('lists payouts that the signer refused, or whose nonce or coins were spent by another transaction')
    .argument(...operatorArgument)
    .option('--json', 'as JSON')
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const found = await checkedPayouts(database, await operatorIdOf(database, partnerKey), MOST_LISTED);
        print(output, found, rowOf, json);
        return 0;
      }),
    );
  payouts
    .command('waiting')
    .description('lists payouts that have not begun; after a restore they may be paid already')
    .argument(...operatorArgument)
    .option('--json', 'as JSON')
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const found = await waitingPayouts(database, await operatorIdOf(database, partnerKey), MOST_LISTED);
        print(output, found, waitingRowOf, json);
        if (found.length === MOST_LISTED) output.error(`Only the oldest ${MOST_LISTED} are listed.`);
        return 0;
      }),
    );
  for (const [decision, description] of Object.entries(DECISIONS) as [keyof typeof DECISIONS, string][]) {
    payouts
      .command(decision)
      .description(description)
      .argument(...operatorArgument)
      .argument(...payoutArgument)
      .requiredOption(...byOption)
      .option(
        '--looked-up',
        'the transaction that spent the nonce or the coins was looked up, and does not pay this payout',
      )
      .action((partnerKey, withdrawalId, { by, lookedUp: hasLooked = false }) => {
        requireId(withdrawalId);
        const { by: staff } = actorOf(by);
        return withDatabase(async (database) => {
          const operatorId = await operatorIdOf(database, partnerKey);
          const wanted = { operatorId, withdrawalId, decision, by: staff, hasLooked };
          const state = await decidePayout(database, wanted).catch(asCommandError);
          output.out(`The payout is ${state}.`);
          return 0;
        });
      });
  }
  payouts
    .command('paid')
    .description(
      'ends a payout as paid by a transaction that the cashier did not send; all nodes must show that it pays this payout',
    )
    .argument(...operatorArgument)
    .argument(...payoutArgument)
    .requiredOption('--transaction <hash>', 'the transaction that spent the nonce or the coins, as the chain writes it')
    .requiredOption(...byOption)
    .action((partnerKey, withdrawalId, { transaction, by }) => {
      requireId(withdrawalId);
      const hash = readHash(transaction);
      const { by: staff } = actorOf(by);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const chain = (await new PayoutStore(database).find(withdrawalId))?.chain ?? '';
        const named = { operatorId, withdrawalId, hash, by: staff };
        await confirmPayout(database, openPayingWallet(chain, session), named).catch(asCommandError);
        output.out('The payout is confirmed.');
        return 0;
      });
    });
  addDecisionsCommand(payouts, session);
  addAcceptUseCommand(payouts, session);
  addCoinSignatureCommands(payouts, session);
};

const addDecisionsCommand: AddCommands = (payouts, { output, withDatabase }) => {
  payouts
    .command('decisions')
    .description('lists what staff have decided about a payout: who, when, and how it stood before')
    .argument(...operatorArgument)
    .argument('<withdrawal>', 'id of the withdrawal')
    .option('--json', 'as JSON')
    .action((partnerKey, withdrawalId, { json = false }) => {
      requireId(withdrawalId);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        print(
          output,
          await pastDecisions(database, { operatorId, withdrawalId, most: MOST_LISTED }),
          decisionRowOf,
          json,
        );
        return 0;
      });
    });
};

function decisionRowOf({ at, by, decision, state, reason, hasLooked, hash }: PastDecision): Row {
  const looked = hasLooked ? 'yes' : '';
  return { at: at.toISOString(), by, decision, before: state, reason: reason ?? '', looked, transaction: hash ?? '' };
}

/** @throws UsageError */
function requireId(withdrawalId: string): void {
  if (!v.is(paymentIdSchema, withdrawalId))
    throw new UsageError('Give the id of a withdrawal, from `coin-payouts checked`.');
}

/** @throws UsageError */
function readHash(text: string): string {
  const hash = text.trim().toLowerCase();
  if (!/^(0x)?[0-9a-f]{64}$/.test(hash)) throw new UsageError('--transaction must be the hash of a transaction.');
  return hash;
}

/** @throws CommandError for what staff can do something about */
function asCommandError(error: unknown): never {
  if (error instanceof PayoutDecisionError || error instanceof NodeError) throw new CommandError(error.message);
  throw error;
}

function waitingRowOf({ withdrawalId, chain, coin, amount, address, reason }: WaitingPayout): Row {
  return { withdrawal: withdrawalId, chain, coin, amount, address, reason: reason ?? '' };
}

function rowOf({ withdrawalId, chain, coin, state, reason, fate }: CheckedPayout): Row {
  return { withdrawal: withdrawalId, chain, coin, state, reason: reason ?? '', slot: fate };
}
