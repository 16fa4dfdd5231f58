/** Commands for payouts of coins that people sign with a hardware wallet or an air-gapped machine (WD-2). */
import { constants } from 'node:fs';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { giveSignedSchema, takeUnsignedSchema } from '@opencashier/contract/operator';
import { sameDecider } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { UnsignedCoinPayout } from '../providers/coin-signatures.ts';
import { createSignaturesByFile } from '../providers/crypto/payouts/signed-by-file.ts';
import { readApprovalSettings } from '../withdrawals/approval-settings.ts';
import { type Session, UsageError } from './command.ts';
import { actorOf, operatorArgument, operatorIdOf, readOptions } from './listing.ts';
import { openFileWallets } from './paying-wallets.ts';

/** The first bytes of a PSBT (BIP 174). */
const PSBT_MAGIC = Buffer.from('70736274ff', 'hex');
/** Longer than any transaction that the operator API takes, which checks the length itself. */
const LARGEST_FILE = 400_000;

/** @param payouts the command `coin-payouts` */
export function addCoinSignatureCommands(payouts: Command, session: Session): void {
  const { output, withDatabase } = session;
  payouts
    .command('unsigned')
    .description('writes the transactions that wait to be signed by file, and records who has them')
    .argument(...operatorArgument)
    .requiredOption('--to <folder>', 'where the files are written; an existing file is never replaced')
    .option('--chain <chain>', 'only those of this chain')
    .requiredOption('--by <name>', 'who takes them')
    .action((partnerKey, { to, chain, by }) => {
      const asked = readOptions(takeUnsignedSchema, { staff: by, ...(chain !== undefined && { chain }) });
      const wallets = openFileWallets(session);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const actor = { operatorId, ...actorOf(by) };
        await checkFolder(to);
        const waiting = await createSignaturesByFile(database, wallets).take(actor, asked.chain);
        const problems: string[] = [];
        for (const one of waiting) {
          const path = await writeUnsigned(to, one).catch((error: Error) => void problems.push(error.message));
          if (path) output.out(`${path}: ${one.amount} ${one.coin} to ${payeeOf(one)}${othersOf(one, by)}`);
        }
        if (problems.length > 0) throw new UsageError(problems.join('\n'));
        if (waiting.length === 0) output.out('Nothing waits for a signature.');
        else
          output.out(
            'Compare amount and recipient on the signing device. A person who took none of them then runs `coin-payouts signed`.',
          );
        return 0;
      });
    });
  payouts
    .command('signed')
    .description('takes signed transactions, all or none; a person who never took them must give them')
    .argument(...operatorArgument)
    .argument('<files...>', 'signed PSBTs, or files with a signed transaction as text')
    .requiredOption('--by <name>', 'who gives them')
    .action((partnerKey, files, { by }) => {
      const wallets = openFileWallets(session);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const texts = await Promise.all(files.map(readSigned));
        const { transactions } = readOptions(giveSignedSchema, { transactions: texts, staff: by });
        const { differentKeys } = await readApprovalSettings(database, operatorId);
        const actor = { operatorId, ...actorOf(by) };
        const given = await createSignaturesByFile(database, wallets).give(actor, transactions, differentKeys);
        for (const { withdrawalId, version, isNew } of given)
          output.out(`${withdrawalId}, version ${version}: ${isNew ? 'signed' : 'was signed before'}.`);
        return 0;
      });
    });
}

const payeeOf = ({ address, memo }: UnsignedCoinPayout): string =>
  memo === undefined ? address : `${address}, memo ${memo}`;

/** Nobody who has taken it can give it, so the others are named. */
function othersOf({ takenBy }: UnsignedCoinPayout, by: string): string {
  const others = takenBy.filter((name) => !sameDecider(name, by));
  return others.length === 0 ? '' : ` (also taken by ${others.join(', ')})`;
}

/** Before anything is taken: who took a transaction can no longer give it. @throws UsageError */
async function checkFolder(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder');
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `Nothing can be written to ${folder}: ${error instanceof Error ? error.message : 'unknown error'}`,
    );
  }
}

/**
 * A file with the same content stays: taking again gives the same transactions.
 * @returns the path of the file
 * @throws Error whose message names the file
 */
async function writeUnsigned(folder: string, { takenBy: _, ...one }: UnsignedCoinPayout): Promise<string> {
  const isPsbt = one.format === 'psbt';
  const path = join(folder, `${one.withdrawalId}-${one.version}.${isPsbt ? 'psbt' : 'json'}`);
  const content = isPsbt ? Buffer.from(one.unsigned, 'base64') : `${JSON.stringify(one, undefined, 2)}\n`;
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isSame =
      (error as NodeJS.ErrnoException).code === 'EEXIST' && (await readFile(path)).equals(Buffer.from(content));
    if (!isSame) throw new Error(`${path} could not be written: ${(error as Error).message}`, { cause: error });
  }
  return path;
}

/** A PSBT as Base64, the field `transaction` of a JSON file, or the text of the file. @throws UsageError */
async function readSigned(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    if ((await stat(path)).size > LARGEST_FILE) throw new Error('it is too large');
    bytes = await readFile(path);
  } catch (error) {
    throw new UsageError(`${path} could not be read: ${error instanceof Error ? error.message : 'unknown error'}`);
  }
  if (bytes.subarray(0, PSBT_MAGIC.length).equals(PSBT_MAGIC)) return bytes.toString('base64');
  const text = bytes.toString('utf8').trim();
  if (!text.startsWith('{')) return text;
  try {
    const { transaction } = JSON.parse(text) as { readonly transaction?: unknown };
    if (typeof transaction === 'string') return transaction;
  } catch {
    throw new UsageError(`${path} is not JSON.`);
  }
  throw new UsageError(`${path} has no field "transaction" with the signed transaction.`);
}
