/** One question to a bonus engine as the cashier sends it, and what the cashier makes of the answer. */
import { randomUUID } from 'node:crypto';
import { type Otherwise, postSigned, type SignedAddress, type Surroundings } from '../check/signed-post.ts';
import { mostAnswerBytes, mostBonusesOfUser } from '../generated/bonus-rules.ts';
import type { BonusQuestion } from '../generated/bonuses.ts';
import type { OwnBonus } from '../generated/operator-api.ts';
import { bonusFault, idFaults } from './bonus-faults.ts';
import type { Fault } from './schema-faults.ts';

/** The question as it is sent. A rule may send what the contract does not have, to see it refused. */
export type SentQuestion = Omit<BonusQuestion, 'type'> & { readonly type: string };

/** `faults`: bonuses that the cashier leaves out, with paths such as `bonuses.1.currency`. */
export type Meaning =
  | { readonly kind: 'bonuses'; readonly given: readonly unknown[]; readonly faults: readonly Fault[] }
  | { readonly kind: 'unusable'; readonly why: string; readonly remedy: string };

export interface EngineReply {
  readonly meaning: Meaning;
  /** Undefined: no answer arrived. */
  readonly status: number | undefined;
  /** The start of the body, for a message. */
  readonly body: string;
}

/** Longer than the time limit of the contract, so that a slow answer is seen as slow and not as missing. ms. */
const patienceMs = 10_000;
const form = 'Answer HTTP 200 with {"bonuses":[…]}; a user without a bonus gets {"bonuses":[]}.';

/** Sends questions to one engine and notes how long each took. Never throws for a fault of the engine. */
export function createEngineAsker(address: SignedAddress, surroundings: Surroundings, timesMs: number[]) {
  return async function ask(question: SentQuestion, otherwise: Otherwise = {}): Promise<EngineReply> {
    const post = { id: question.id, body: JSON.stringify(question), otherwise, mostBytes: mostAnswerBytes, patienceMs };
    const { status, text, isTooLong, encoding, why, ms } = await postSigned(address, surroundings, post);
    timesMs.push(ms);
    const reply = (meaning: Meaning): EngineReply => ({ meaning, status, body: text.slice(0, 200) });
    const unusable = (reason: string, remedy = form): EngineReply => reply({ kind: 'unusable', why: reason, remedy });
    if (status === undefined) return unusable(`no answer: ${why}`);
    if (status !== 200) return unusable(`status ${status}`);
    if (isTooLong) {
      const words = 'Answer fewer bonuses, or shorter texts. The cashier reads no longer answer.';
      return unusable(`the answer is larger than ${mostAnswerBytes / 1024} KiB`, words);
    }
    if (encoding !== null && encoding !== 'identity') {
      return unusable(`the answer is compressed (${encoding})`, 'Send the answer as it is: the cashier unpacks none.');
    }
    return reply(meaningOf(question, text));
  };
}

/** A new question. `currency` undefined: bonuses in every currency. */
export function questionOf(userId: string, currency: string | undefined): SentQuestion {
  return { type: 'bonuses', id: randomUUID(), userId, ...(currency !== undefined && { currency }) };
}

/** What the cashier makes of the body of an answer with status 200. */
export function meaningOf({ id, userId, currency }: SentQuestion, text: string): Meaning {
  const unusable = (why: string, remedy = form): Meaning => ({ kind: 'unusable', why, remedy });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return unusable('the answer is no JSON', `${form} Write it with the JSON library of your language.`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return unusable('the answer is no JSON object');
  }
  const answer = parsed as Readonly<Record<string, unknown>>;
  const { bonuses } = answer;
  if (!Array.isArray(bonuses)) return unusable('the answer has no list "bonuses"');
  const differs = (given: unknown, asked: string): boolean =>
    given !== undefined && !(typeof given === 'string' && given === asked);
  const remedy = 'Repeat the fields of the question, or leave them out. Let no cache stand before your engine.';
  const givenId = answer['id'];
  if (differs(typeof givenId === 'string' ? givenId.toLowerCase() : givenId, id)) {
    return unusable('the answer has another id than the question', remedy);
  }
  if (differs(answer['userId'], userId)) return unusable('the answer has another userId than the question', remedy);
  return { kind: 'bonuses', given: bonuses, faults: faultsOf(bonuses, currency) };
}

function faultsOf(bonuses: readonly unknown[], currency: string | undefined): Fault[] {
  const right: { readonly bonus: OwnBonus; readonly place: number }[] = [];
  const faults: (Fault & { readonly place: number })[] = [];
  for (const [place, bonus] of bonuses.slice(0, mostBonusesOfUser).entries()) {
    const fault = bonusFault(bonus, currency);
    if (fault === undefined) right.push({ bonus: bonus as OwnBonus, place });
    else faults.push({ ...fault, place });
  }
  for (const { path, message } of idFaults(right)) {
    faults.push({ place: Number(path.split('.')[0]), path: 'id', message });
  }
  return faults
    .sort((one, other) => one.place - other.place)
    .map(({ place, path, message }) => ({ path: `bonuses.${place}${path && `.${path}`}`, message }));
}
