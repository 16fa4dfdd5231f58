/** The command for a hot wallet that was used without the cashier (docs/runbooks/HotWalletUsedElsewhere.md). */
import { type WalletAcceptance, WalletStore } from '../providers/crypto/payouts/wallet-store.ts';
import { type AddCommands, CommandError, UsageError } from './command.ts';
import { actorOf, print, type Row } from './listing.ts';

const MOST_LISTED = 200;

export const addAcceptUseCommand: AddCommands = (payouts, { output, withDatabase }) => {
  payouts
    .command('accept-use')
    .description('lets a hot wallet pay out again that was used without the cashier')
    .argument('<chain>', 'the chain of the wallet, as in `CRYPTO_FILE`')
    .requiredOption('--next <number>', 'the nonce or seqno of its next transaction, from the chain')
    .requiredOption('--by <name>', 'who looked up the transactions that the cashier does not know')
    .option('--wallet <address>', 'its address, where the chain has had several wallets')
    .action((chain, { next, by, wallet }) => {
      if (!/^\d{1,18}$/.test(next)) throw new UsageError('--next must be the nonce or seqno of the next transaction.');
      const { by: staff } = actorOf(by);
      return withDatabase(async (database) => {
        const meant = await new WalletStore(database).acceptUse({ chain, slot: BigInt(next), by: staff, wallet });
        if (meant.length === 0)
          throw new CommandError(
            `No hot wallet of ${chain} was found to be used elsewhere, or accepted with a higher number.`,
          );
        if (meant.length > 1) throw new CommandError(`Nothing was accepted. Give --wallet: ${meant.join(' or ')}.`);
        output.out('The payouts of the wallet go on.');
        return 0;
      });
    });
  payouts
    .command('accepted')
    .description('lists who has accepted that hot wallets of a chain were used without the cashier, the newest first')
    .argument('<chain>', 'the chain of the wallets')
    .option('--json', 'as JSON')
    .action((chain, { json = false }) =>
      withDatabase(async (database) => {
        print(output, await new WalletStore(database).acceptances(chain, MOST_LISTED), rowOf, json);
        return 0;
      }),
    );
};

function rowOf({ at, by, wallet, slot, doubt, slotBefore }: WalletAcceptance): Row {
  return { at: at.toISOString(), by, wallet, next: slot, before: slotBefore ?? '', reason: doubt ?? '' };
}
