/**
 * Verification of payee (VoP): before an amount is held, the bank of the payee is asked whether the account has this name. Banks of the euro
 * area must answer since October 2025.
 */
import {
  judgePayee,
  type PayeeAnswer,
  type PayeeChoice,
  type PayeeVerdict,
} from '@opencashier/core/withdrawal/payee-name';
import { DomainError } from '../errors/domain-error.ts';
import { wordFiles } from '../languages/word-files.ts';
import { createWords } from '../languages/words.ts';

export type { PayeeAnswer, PayeeVerdict };

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
export type CheckPayee = (asked: AskedPayee) => Promise<PayeeAnswer> | undefined;

/** A person waits, so a bank that is slow counts as one that cannot say. ms. */
const LONGEST_WAIT_MS = 4_000;

const OTHER_NAME = 'The bank says that this account is in another name. Check the IBAN and the name.';
const words = createWords(wordFiles);

/** The field of a form that has the payee's name. */
const NAME = 'fullName';

interface PayeeOfForm extends Omit<AskedPayee, 'signal'> {
  /** What the person wants of a close match. */
  readonly choice: PayeeChoice;
  readonly language?: string | undefined;
}

/**
 * The verdict about a payee; undefined where none is checked. A bank that fails or is slow stops nobody.
 * @throws DomainError banking.merchantClientError that names the field, for an account in another name; payee-close-match with
 * `params.name`, for a close match that the person has to decide about
 */
export async function checkedPayee(
  checkPayee: CheckPayee | undefined,
  { choice, language = 'en', ...asked }: PayeeOfForm,
): Promise<PayeeVerdict | undefined> {
  const asking = checkPayee?.({ ...asked, signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
  if (asking === undefined) return undefined;
  const answer = await asking.catch((): PayeeAnswer => ({ verdict: 'not-possible' }));
  const judged = judgePayee(answer, asked.fields[NAME] ?? '', choice);
  if (judged.kind === 'go-on') return answer.verdict;
  const path = `fields.${NAME}`;
  if (judged.kind === 'ask') {
    // The name is in `params` alone: messages get into logs.
    const message = 'The bank knows this account under a nearly equal name';
    throw new DomainError('payee-close-match', message, { fields: [{ path, message }], params: { name: judged.name } });
  }
  const text = words(OTHER_NAME, language) ?? OTHER_NAME;
  throw new DomainError('banking.merchantClientError', text, { fields: [{ path, message: text }] });
}
