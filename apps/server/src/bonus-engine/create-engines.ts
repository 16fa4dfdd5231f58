/**
 * Operators' bonus engines. A list of bonuses neither fails nor becomes slow because of an engine: it waits for a part of a second, and
 * then takes the last answer (docs/adr/0028-the-operators-bonus-engine.md).
 */
import { bonusWaitMs } from '@opencashier/contract/operator';
import type { BonusEngines, EngineQuestion } from '../bonuses/bonuses.ts';
import { saveEngineProblem } from '../bonuses/engine-problems.ts';
import type { Database } from '../database/database.ts';
import { withinTime } from '../jobs/within-time.ts';
import { measure } from '../observability/measure.ts';
import type { PaymentsLogger } from '../payment-ports/payments-core.ts';
import type { SignedPorts } from '../signed-questions/ask-signed.ts';
import { createPlaces } from '../signed-questions/operator-places.ts';
import { createQuestionCircuit } from '../signed-questions/question-circuit.ts';
import { type AskedEngine, askEngine } from './ask-engine.ts';
import { createKeptAnswers, type KeptAnswers, textOf } from './kept-answers.ts';

export interface EnginePorts extends Pick<SignedPorts, 'clock' | 'allowInsecure'> {
  readonly database: Database;
  readonly logger: Pick<PaymentsLogger, 'warn'>;
}

/** How long an answer counts without another question. ms. */
export const FRESH_MS = 60_000;
/** The same, when the user has chosen a bonus that the answer does not have. ms. */
const FRESH_FOR_CHOICE_MS = 2_000;
/** How long the last answer counts while the engine does not answer. ms. */
export const LAST_ANSWER_MS = 30 * 60_000;
/** Questions to one engine at a time, per node. */
const PLACES_PER_OPERATOR = 64;
const bounds = { mostAnswers: 5_000, mostSize: 2 * 1024 * 1024, oldestMs: LAST_ANSWER_MS };
/** A node reports problems of an operator no more often. ms. */
const REPORTED_EVERY_MS = 60_000;

/** One operator's engine, as this node knows it. */
export interface Engine {
  readonly url: string;
  readonly answers: KeptAnswers;
  /** The questions on their way, by user and currency. */
  readonly asking: Map<string, Promise<void>>;
  reportedAt: number;
  usedAt: number;
}

/** @param engines what the node knows of each operator's engine; a test looks into it */
export function createBonusEngines(ports: EnginePorts, engines: Map<string, Engine> = new Map()): BonusEngines {
  const { clock } = ports;
  const signed = { ...ports, circuit: createQuestionCircuit(clock) };
  const inPlace = createPlaces(PLACES_PER_OPERATOR);

  const engineOf = ({ operatorId, engine: { url } }: EngineQuestion): Engine => {
    const usedAt = clock.now();
    const known = engines.get(operatorId);
    // Another engine knows other users.
    const engine: Engine = known?.url === url ? known : newEngine(url, usedAt);
    engine.usedAt = usedAt;
    // The engine that was not used for longest is the first one.
    engines.delete(operatorId);
    engines.set(operatorId, engine);
    for (const [id, other] of engines) {
      // No answer of an engine that was not used for so long counts any more.
      if (other.usedAt > usedAt - LAST_ANSWER_MS) break;
      engines.delete(id);
    }
    return engine;
  };

  const ask = async (engine: Engine, question: EngineQuestion): Promise<void> => {
    const { operatorId } = question;
    const tell = (error: unknown): void => {
      ports.logger.warn({ operator: operatorId, err: error }, 'a bonus engine could not be asked');
    };
    try {
      const asked = await inPlace(operatorId, () => askEngine(signed, question));
      measure(ports.database, 'bonusQuestions', { outcome: asked?.outcome ?? 'busy' });
      if (asked?.bonuses !== undefined) {
        engine.answers.keep(question, { bonuses: asked.bonuses, at: clock.now(), size: asked.size });
      }
      // The list does not wait for the report.
      if (asked?.problem !== undefined) void report(ports, engine, operatorId, asked.problem).catch(tell);
    } catch (error) {
      tell(error);
    }
  };

  /** The question on its way, or a new one. */
  const asking = (engine: Engine, question: EngineQuestion): Promise<void> => {
    const key = textOf(question);
    const known = engine.asking.get(key);
    if (known !== undefined) return known;
    const made = ask(engine, question).finally(() => engine.asking.delete(key));
    engine.asking.set(key, made);
    return made;
  };

  return {
    async answerFor(question, isForChoice = false) {
      const engine = engineOf(question);
      const now = clock.now();
      const freshAfter = now - (isForChoice ? FRESH_FOR_CHOICE_MS : FRESH_MS);
      const kept = engine.answers.find(question);
      if (kept !== undefined && kept.at > freshAfter) return { bonuses: kept.bonuses, isCurrent: true };
      await withinTime(clock, bonusWaitMs, asking(engine, question), () => undefined);
      const last = engine.answers.find(question);
      if (last === undefined || last.at <= now - LAST_ANSWER_MS) return undefined;
      return { bonuses: last.bonuses, isCurrent: last.at > freshAfter };
    },
  };
}

function newEngine(url: string, usedAt: number): Engine {
  return { url, answers: createKeptAnswers(bounds), asking: new Map(), reportedAt: Number.NEGATIVE_INFINITY, usedAt };
}

/** Stores a problem for the operator, and logs it, at most once a minute. */
async function report(
  { database, clock, logger }: EnginePorts,
  engine: Engine,
  operatorId: string,
  problem: NonNullable<AskedEngine['problem']>,
): Promise<void> {
  const now = clock.now();
  if (now - engine.reportedAt < REPORTED_EVERY_MS) return;
  engine.reportedAt = now;
  const { why, questionId, fields } = problem;
  logger.warn({ operator: operatorId, question: questionId, why, fields }, 'a problem with a bonus engine');
  await saveEngineProblem(database, operatorId, problem);
}
