/** What the answer of an operator's bonus engine means. A wrong bonus is left out and never breaks the others (BON-1). */
import {
  type BonusQuestion,
  bonusAnswerSchema,
  mostBonusesOfUser,
  type OwnBonus,
  ownBonusSchema,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { type BonusIssue, checkBonuses, checkIds } from '../bonuses/check-bonuses.ts';
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

function judgeBonuses(question: BonusQuestion, given: readonly unknown[]): JudgedAnswer {
  const right: { readonly bonus: OwnBonus; readonly place: number }[] = [];
  const leftOut: (BonusIssue & { readonly place: number })[] = [];
  for (const [place, value] of given.slice(0, mostBonusesOfUser).entries()) {
    const read = readBonus(question, value);
    if ('bonus' in read) right.push({ bonus: read.bonus, place });
    else leftOut.push(...read.issues.map((issue) => ({ ...issue, place })));
  }
  for (const { path, message } of checkIds(right.map(({ bonus }) => bonus))) {
    leftOut.push({ place: right[Number(path.split('.')[1])]?.place ?? 0, path: 'id', message });
  }
  if (given.length > mostBonusesOfUser) {
    const message = `A user sees at most ${mostBonusesOfUser} bonuses. This one and those behind it are left out.`;
    leftOut.push({ place: mostBonusesOfUser, path: '', message });
  }
  const wrong = new Set(leftOut.map(({ place }) => place));
  return {
    kind: 'bonuses',
    bonuses: right.filter(({ place }) => !wrong.has(place)).map(({ bonus }) => bonus),
    leftOut: leftOut
      .toSorted((left, other) => left.place - other.place)
      .slice(0, MOST_ISSUES)
      .map(({ place, path, message }) => ({ path: `bonuses.${place}${path && `.${path}`}`, message })),
  };
}

/** A right bonus, or what is wrong with it alone. Paths are those inside the bonus. */
function readBonus(
  { currency }: BonusQuestion,
  value: unknown,
): { readonly bonus: OwnBonus } | { readonly issues: readonly BonusIssue[] } {
  // Only the first fault of each bonus is looked for, so that an answer with thousands costs no more time than a right one.
  const parsed = v.safeParse(ownBonusSchema, value, { abortEarly: true });
  // No deposit could store such a text with its bonus.
  const failure = parsed.success ? unstorableFailure(value) : invalidRequest(parsed.issues, ownBonusSchema);
  if (!parsed.success || failure !== undefined) return { issues: failure?.details.fields ?? [] };
  const bonus = parsed.output;
  const issues = checkBonuses([bonus]).map(({ path, message }) => ({ path: path.replace('bonuses.0.', ''), message }));
  if (currency !== undefined && bonus.currency !== currency) {
    issues.push({ path: 'currency', message: `The question asked for bonuses in ${currency}.` });
  }
  return issues.length === 0 ? { bonus } : { issues };
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON, so not an answer of the contract. The caller reports it.
    return undefined;
  }
}
