/** Commands about whose balance counts at an operator (SRV-1). */
import { type WalletMode, walletModes } from '@opencashier/contract/operator';
import { constraintOf } from '../database/pool-database.ts';
import { counted } from '../languages/counted.ts';
import { changeWalletMode, type Obstacle } from '../operator-wallet/change-wallet-mode.ts';
import { type AddCommands, CommandError, type Session, UsageError } from './command.ts';
import { actorOf, byOption, noSuchOperator, operatorArgument, operatorIdOf } from './listing.ts';
import { optionNeeds } from './option-needs.ts';
import { checkAddress, refuseInside } from './outgoing-address.ts';

export const addWalletCommands: AddCommands = (program, session) => {
  program
    .command('set-wallet')
    .description(
      'changes whose balance counts; refused while users have balances, bonus money or debts here, or money is in transit',
    )
    .argument(...operatorArgument)
    .argument('<mode>', walletModes.join(', '))
    .option('--wallet-url <address>', 'address of the operator’s wallet; needed once for the mode operator')
    .option('--same-wallet', 'the new address leads to the same wallet, so calls that wait may go there')
    .option('--keep-debts', 'debts of users stay here, for your staff, deposits or returned money to pay')
    .option(...byOption)
    .hook('preAction', optionNeeds({ '--same-wallet': ['--wallet-url'] }))
    .action((partnerKey, text, { walletUrl, sameWallet: isSameWallet = false, keepDebts: keepsDebts = false, by }) =>
      setWallet(session, partnerKey, { text, walletUrl, isSameWallet, keepsDebts, by }),
    );
};

interface Asked {
  readonly text: string;
  readonly walletUrl: string | undefined;
  readonly isSameWallet: boolean;
  readonly keepsDebts: boolean;
  readonly by: string;
}

function setWallet(session: Session, partnerKey: string, { text, walletUrl, by, ...accepted }: Asked): Promise<void> {
  const actor = actorOf(by);
  const mode = readWalletMode(text);
  checkAddress(session, '--wallet-url', walletUrl);
  return session.withDatabase(async (database) => {
    await refuseInside(session, '--wallet-url', walletUrl);
    const operatorId = await operatorIdOf(database, partnerKey);
    const changed = await changeWalletMode(database, operatorId, { mode, url: walletUrl, ...accepted }, actor).catch(
      (error: unknown) => {
        if (constraintOf(error) === 'operator_wallet_has_url') throw new CommandError(needsUrl, { cause: error });
        throw error;
      },
    );
    if (changed === undefined) throw noSuchOperator(partnerKey);
    if (changed.kind === 'refused') {
      const lines =
        changed.before === mode
          ? addressRefusal(partnerKey, changed.obstacles)
          : refusal(partnerKey, changed.before, changed.obstacles);
      for (const line of lines) session.output.error(line);
      return 1;
    }
    session.output.out(
      changed.kind === 'same'
        ? `The mode of ${partnerKey} is ${mode} already.`
        : `The mode of ${partnerKey} is now ${mode} (before: ${changed.before}). It applies to every payment from now on.`,
    );
    return 0;
  });
}

const needsUrl = 'The mode operator needs the address of the wallet: give --wallet-url https://….';

/** @throws UsageError */
export function readWalletMode(text: string): WalletMode {
  const mode = walletModes.find((known) => known === text);
  if (mode === undefined) throw new UsageError(`The mode is one of ${walletModes.join(', ')}.`);
  return mode;
}

/** @throws UsageError for the mode `operator` without an address */
export function requireWalletUrl(mode: WalletMode, walletUrl: string | undefined): void {
  if (mode === 'operator' && walletUrl === undefined) throw new UsageError(needsUrl);
}

function refusal(partnerKey: string, before: WalletMode, obstacles: readonly Obstacle[]): string[] {
  return [
    `The mode of ${partnerKey} stays ${before}, because money here is not at its end:`,
    ...obstacles.map(lineOf),
    `What to do: run \`update-operator ${partnerKey} --deposits off --withdrawals off\`, bring this money to its end, and try again.`,
  ];
}

function addressRefusal(partnerKey: string, obstacles: readonly Obstacle[]): string[] {
  return [
    `The address of the wallet of ${partnerKey} stays, because calls have no known outcome there:`,
    ...obstacles.map(lineOf),
    'What to do: if the new address leads to the same wallet, add --same-wallet. Otherwise wait for these calls first.',
  ];
}

function lineOf({ what, currency, amount, count }: Obstacle): string {
  switch (what) {
    case 'balances':
      return `  ${amount} ${currency} on accounts of ${counted(count, 'user')}: take it over by \`transfers\` to \`operator\`.`;
    case 'holds':
      return `  ${amount} ${currency} held for withdrawals or refunds of ${counted(count, 'user')}: wait until they have ended.`;
    case 'bonuses':
      return `  ${amount} ${currency} of bonus money of ${counted(count, 'user')}: take it over by \`transfers\` from \`bonus\` to \`operator\`.`;
    case 'debts':
      return `  ${amount} ${currency} of debts of ${counted(count, 'user')}: settle them (\`debts list\`), or add --keep-debts.`;
    case 'calls':
      return `  ${amount} ${currency} in ${counted(count, 'call')} that the wallet has not answered: see \`list wallet-calls\`.`;
  }
}
