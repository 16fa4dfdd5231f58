/** What the answer of an operator's bonus engine means. A wrong bonus is left out and never breaks the others (BON-1). */
import {
  type BonusQuestion,
  bonusAnswerSchema,
  mostBonusesOfUser,
  type OwnBonus,
  ownBonusSchema,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { type BonusIssue, checkBonuses } from '../bonuses/check-bonuses.ts';
import { invalidRequest, unstorableFailure } from '../requests/invalid-request.ts';

export type JudgedAnswer =
  | { readonly kind: 'bonuses'; readonly bonuses: readonly OwnBonus[]; readonly leftOut: readonly BonusIssue[] }
  | { readonly kind: 'unusable'; readonly why: string };

/** Wrong fields that are reported. An answer that is wrong everywhere is wrong for one reason. */
const MOST_ISSUES = 20;

/** Each bonus is read alone. */
const envelopeSchema = v.object({ ...bonusAnswerSchema.entries, bonuses: v.array(v.unknown()) });

/**
 * Reads the body of an answer with HTTP status 200.
 * @param body undefined: too long, or broken off
 */
export function judgeAnswer(question: BonusQuestion, body: string | undefined): JudgedAnswer {
  if (body === undefined) return { kind: 'unusable', why: 'the answer is too long or broke off' };
  const envelope = v.safeParse(envelopeSchema, parsedJson(body));
  if (!envelope.success) return { kind: 'unusable', why: 'not an answer of the contract' };
  const { bonuses, id, userId } = envelope.output;
  // A cache between the cashier and the engine may answer what another user sees.
  if (id !== undefined && id.toLowerCase() !== question.id) return another('id');
  if (userId !== undefined && userId !== question.userId) return another('userId');
  return judgeBonuses(question, bonuses);
}

function another(field: string): JudgedAnswer {
  return { kind: 'unusable', why: `the answer has another ${field} than the question` };
}

function judgeBonuses({ currency }: BonusQuestion, given: readonly unknown[]): JudgedAnswer {
  const accepted: { readonly bonus: OwnBonus; readonly place: number }[] = [];
  const leftOut: BonusIssue[] = [];
  for (const [place, value] of given.slice(0, mostBonusesOfUser).entries()) {
    const read = readBonus(value);
    const issues = 'issues' in read ? read.issues : issuesAmong(accepted, read.bonus, currency);
    if ('bonus' in read && issues.length === 0) accepted.push({ bonus: read.bonus, place });
    leftOut.push(...issues.map(({ path, message }) => ({ path: `bonuses.${place}${path && `.${path}`}`, message })));
  }
  if (given.length > mostBonusesOfUser) {
    const message = `A user sees at most ${mostBonusesOfUser} bonuses. This one and those behind it are left out.`;
    leftOut.push({ path: `bonuses.${mostBonusesOfUser}`, message });
  }
  return { kind: 'bonuses', bonuses: accepted.map(({ bonus }) => bonus), leftOut: leftOut.slice(0, MOST_ISSUES) };
}

function readBonus(value: unknown): { readonly bonus: OwnBonus } | { readonly issues: readonly BonusIssue[] } {
  const parsed = v.safeParse(ownBonusSchema, value);
  // No deposit could store such a text with its bonus.
  const failure = parsed.success ? unstorableFailure(value) : invalidRequest(parsed.issues, ownBonusSchema);
  if (parsed.success && failure === undefined) return { bonus: parsed.output };
  return { issues: failure?.details.fields ?? [] };
}

/** What is wrong with a bonus beside those before it, which are right. Paths are those inside the bonus. */
function issuesAmong(
  accepted: readonly { readonly bonus: OwnBonus }[],
  bonus: OwnBonus,
  currency: string | undefined,
): readonly BonusIssue[] {
  const issues = checkBonuses([...accepted.map((one) => one.bonus), bonus]).map(({ path, message }) => ({
    path: path.replace(/^bonuses\.\d+\./, ''),
    message,
  }));
  if (currency === undefined || bonus.currency === currency) return issues;
  return [...issues, { path: 'currency', message: `The question asked for bonuses in ${currency}.` }];
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON, so not an answer of the contract. The caller reports it.
    return undefined;
  }
}
