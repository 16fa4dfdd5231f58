/** The bank account of an operator that SEPA transfers are paid from, as a connection describes it. */
import { isIban } from '@opencashier/core/fields/iban';
import { parseDecimal } from '@opencashier/core/money/money';
import { CREDIT_TRANSFER_VERSIONS, LONGEST_NAME } from '@opencashier/core/sepa/credit-transfer-file';
import { sepaText } from '@opencashier/core/sepa/sepa-text';
import type { OpenedAccount, SecretForm, ValueForm } from '../connection-kind.ts';
import type { TransferAccount } from '../filed-transfer.ts';

/** How an operator's transfers are taken and its files are built. */
export interface SepaAccount extends TransferAccount {
  /** Minutes between two files. */
  readonly batchMinutes: number;
  /** The most of one transfer, in cents. */
  readonly transferLimit: bigint;
}

const EURO_DECIMALS = 2;
/** The most that SEPA carries in one transfer. */
const SEPA_LIMIT = 99_999_999_999n;

export const sepaSecrets: Readonly<Record<string, SecretForm>> = {
  iban: {
    form: /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/,
    meaning: 'the IBAN of the account that pays, without spaces',
    isNeeded: 'to-create',
  },
};

const yesOrNo: ValueForm = { form: /^(?:yes|no)$/, meaning: 'yes or no' };
const euros: ValueForm = { form: /^[1-9]\d{0,8}(?:\.\d{2})?$/, meaning: 'an amount in euros such as 15000' };

export const sepaOptions: Readonly<Record<string, ValueForm>> = {
  name: { form: /^[A-Za-z0-9/\-?:().,'+ ]{1,70}$/, meaning: 'the name of the account in the characters of SEPA' },
  bic: { form: /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, meaning: 'a BIC of 8 or 11 characters' },
  version: { form: /^pain\.001\.001\.0[39]$/, meaning: 'pain.001.001.09 or pain.001.001.03' },
  instant: yesOrNo,
  batchBooking: yesOrNo,
  cutOff: { form: /^(?:[01]\d|2[0-3]):[0-5]\d$/, meaning: 'a time of Frankfurt such as 15:00' },
  batchMinutes: { form: /^(?:[1-9]\d{0,2}|1[0-3]\d{2}|14[0-3]\d|1440)$/, meaning: 'minutes from 1 to 1440' },
  batchSize: { form: /^(?:[1-9]\d{0,3}|10000)$/, meaning: 'a number from 1 to 10000' },
  batchLimit: euros,
  transferLimit: euros,
};

/** What a connection lacks, for its test. Undefined: files can be built. */
export function faultOf({ secrets, options }: Pick<OpenedAccount, 'secrets' | 'options'>): string | undefined {
  if (!isIban(secrets['iban'] ?? '')) return 'The check digits of secrets.iban are wrong. Copy the IBAN again.';
  if (sepaText(options['name'] ?? '', LONGEST_NAME) === undefined)
    return 'Set options.name to the name of the account, as the bank has it.';
  return undefined;
}

/** The account of a connection; undefined when it lacks something ({@link faultOf}). */
export function sepaAccountOf(account: Pick<OpenedAccount, 'secrets' | 'options'>): SepaAccount | undefined {
  if (faultOf(account) !== undefined) return undefined;
  const { secrets, options } = account;
  const cents = (name: string): bigint => {
    const read = parseDecimal(options[name] ?? '', EURO_DECIMALS);
    return read.ok && read.minor < SEPA_LIMIT ? read.minor : SEPA_LIMIT;
  };
  return {
    debtor: { name: options['name'] ?? '', iban: secrets['iban'] ?? '', bic: options['bic'] },
    version: CREDIT_TRANSFER_VERSIONS.find((one) => one === options['version']) ?? 'pain.001.001.09',
    isInstant: options['instant'] === 'yes',
    isBatchBooked: options['batchBooking'] !== 'no',
    cutOff: options['cutOff'] ?? '15:00',
    batchMinutes: Number(options['batchMinutes'] ?? 60),
    batchSize: Number(options['batchSize'] ?? 500),
    batchLimit: cents('batchLimit'),
    transferLimit: cents('transferLimit'),
  };
}
