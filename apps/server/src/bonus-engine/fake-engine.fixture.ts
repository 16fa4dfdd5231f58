/** An operator's bonus engine on a port of its own, which keeps the contract unless a test tells it to misbehave. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type BonusQuestion,
  bonusQuestionSchema,
  mostBonusAnswerBytes,
  type OwnBonus,
} from '@opencashier/contract/operator';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../database/database.ts';

export const engineSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

/**
 * `answer`: by the contract. `hang`: takes the question and says nothing. `broken`: answers with 500. `garbage`: answers with a page.
 * `huge`: answers more than the cashier reads. `other-user`: answers the question of somebody else. `drop`: closes the connection.
 */
export type EngineBehaviour = 'answer' | 'hang' | 'broken' | 'garbage' | 'huge' | 'other-user' | 'drop';

export interface FakeEngine {
  readonly url: string;
  behaviour: EngineBehaviour;
  /** Every question that arrived. */
  readonly questions: BonusQuestion[];
  /** What the engine answers, by user. Any value, so that a test can answer what is no bonus. */
  readonly bonuses: Map<string, readonly unknown[]>;
  /** Answers the questions that hang. */
  release(): void;
  /** Resolves when the next question has arrived. */
  asked(): Promise<void>;
  close(): Promise<void>;
}

export async function openFakeEngine(): Promise<FakeEngine> {
  const held: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => receive(Buffer.concat(chunks), request.headers as Record<string, string>, response));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));

  const engine: FakeEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bonuses`,
    behaviour: 'answer',
    questions: [],
    bonuses: new Map(),
    release() {
      for (const answer of held.splice(0)) answer();
    },
    asked: () => new Promise((resolve) => waiting.push(resolve)),
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };

  const receive = (raw: Buffer, headers: Record<string, string>, response: ServerResponse): void => {
    const body = raw.toString('utf8');
    const question = v.parse(bonusQuestionSchema, JSON.parse(body));
    // The time is not compared with a clock, because tests move theirs.
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signature = new Webhook(engineSecret).sign(question.id, at, body);
    if (headers['webhook-id'] !== question.id || headers['webhook-signature'] !== signature) {
      response.writeHead(401).end();
      return;
    }
    engine.questions.push(question);
    const { id, userId } = question;
    const answer = (): void => {
      response.end(JSON.stringify({ bonuses: engine.bonuses.get(userId) ?? [], id, userId }));
    };
    const behave: Record<EngineBehaviour, () => void> = {
      answer,
      hang: () => void held.push(answer),
      broken: () => response.writeHead(500).end('oops'),
      garbage: () => response.end('<html>'),
      huge: () => response.end(JSON.stringify({ bonuses: [], filler: 'x'.repeat(mostBonusAnswerBytes) })),
      'other-user': () => response.end(JSON.stringify({ bonuses: [], userId: 'somebody' })),
      drop: () => response.destroy(),
    };
    behave[engine.behaviour]();
    for (const tell of waiting.splice(0)) tell();
  };
  return engine;
}

/** Opens an engine for the tests of the file. Before each test it keeps the contract, and knows no bonus and no question. */
export function withFakeEngine(take: (engine: FakeEngine) => void): void {
  let engine: FakeEngine | undefined;
  beforeAll(async () => {
    engine = await openFakeEngine();
    take(engine);
  });
  beforeEach(() => {
    if (engine === undefined) return;
    engine.release();
    engine.behaviour = 'answer';
    engine.questions.length = 0;
    engine.bonuses.clear();
  });
  afterAll(() => engine?.close());
}

/** Lets an operator's bonuses come from an engine. */
export async function useEngine(
  database: Database,
  url: string,
  { operatorId = 'op', fallback = 'list' }: { readonly operatorId?: string; readonly fallback?: 'list' | 'none' } = {},
): Promise<void> {
  await database.query({
    text: `update operator set webhook_secrets = $2, settings = settings || jsonb_build_object('bonusEngine', $3::jsonb)
      where id = $1`,
    values: [operatorId, [engineSecret], JSON.stringify({ url, isOn: true, fallback })],
  });
}

/** A bonus of money in INR, as an engine answers it. */
export const engineBonus = (id: string, percent = 50): OwnBonus => ({
  id,
  type: 'deposit',
  currency: 'INR',
  title: { en: `Bonus ${id}` },
  depositBonusData: { minDeposit: '100', maxBonusAmount: '1000', percent, payoutMultiplier: 1, wagerMultiplier: 1 },
});
