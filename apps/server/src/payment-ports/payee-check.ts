/**
 * Verification of payee (VoP): before an amount is held, the bank of the payee is asked whether the account has this name. Banks of the euro
 * area must answer since October 2025.
 */
import { DomainError } from '../errors/domain-error.ts';
import { wordFiles } from '../languages/word-files.ts';
import { createWords } from '../languages/words.ts';

/**
 * - `match`: the account has this name. `close-match`: nearly, such as with a typing error.
 * - `no-match`: the account has another name. `not-possible`: nobody can say.
 */
export type PayeeVerdict = 'match' | 'close-match' | 'no-match' | 'not-possible';

export interface AskedPayee {
  readonly operatorId: string;
  /** The provider that would pay. */
  readonly provider: string;
  readonly connectionId: string | null;
  /** What the user typed into the method's fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Aborts when the cashier no longer waits. The verdict is then `not-possible`. */
  readonly signal: AbortSignal;
}

/** Asks the payee's bank. Undefined: this provider checks no payee. */
export type CheckPayee = (asked: AskedPayee) => Promise<PayeeVerdict> | undefined;

/** A person waits, so a bank that is slow counts as one that cannot say. ms. */
const LONGEST_WAIT_MS = 4_000;

const OTHER_NAME = 'The bank says that this account is in another name. Check the IBAN and the name.';
const words = createWords(wordFiles);

/**
 * The verdict about a payee; undefined where none is checked. A bank that fails or is slow stops nobody.
 * @throws DomainError banking.merchantClientError that names the field, for an account in another name
 */
export async function checkedPayee(
  checkPayee: CheckPayee | undefined,
  asked: Omit<AskedPayee, 'signal'>,
  language = 'en',
): Promise<PayeeVerdict | undefined> {
  const asking = checkPayee?.({ ...asked, signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
  if (asking === undefined) return undefined;
  const verdict = await asking.catch((): PayeeVerdict => 'not-possible');
  if (verdict !== 'no-match') return verdict;
  const text = words(OTHER_NAME, language) ?? OTHER_NAME;
  throw new DomainError('banking.merchantClientError', text, { fields: [{ path: 'fields.fullName', message: text }] });
}
