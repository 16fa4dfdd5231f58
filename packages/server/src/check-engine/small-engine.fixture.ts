/** A small bonus engine in memory that keeps the contract, and whose parts a test replaces by wrong ones. */
import { createHmac } from 'node:crypto';
import { handleBonusCall } from '../bonus-call.ts';
import type { BonusQuestion } from '../generated/bonuses.ts';
import type { OwnBonus } from '../generated/operator-api.ts';
import { keysOf } from '../verify-webhook.ts';

export const engineSecret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;

export type Headers = Record<string, string>;

export interface WrongEngine {
  /** Changes the headers before they are verified. */
  readonly headers?: (headers: Headers, body: string) => Headers;
  readonly toleranceSeconds?: number;
  /** Answers instead of the right list. */
  readonly bonuses?: (question: BonusQuestion, right: readonly OwnBonus[]) => readonly unknown[] | Promise<never>;
  /** Changes the answer before it is sent. */
  readonly respond?: (question: BonusQuestion, body: Record<string, unknown>, status: number) => Response | undefined;
  /** How long each answer takes, in ms. */
  readonly takesMs?: (asked: number) => number;
}

/** One answers with money, `spins` with free spins, `none` with nothing, and `many` with 50. */
export class SmallEngine {
  /** The time of the engine and of the check, in milliseconds since 1970. */
  now = 1_767_225_600_000;
  asked = 0;
  private readonly wrong: WrongEngine;

  constructor(wrong: WrongEngine = {}) {
    this.wrong = wrong;
  }

  readonly fetch: typeof globalThis.fetch = async (_address, init) => {
    const body = String(init?.body);
    const given = init?.headers as Headers;
    this.asked += 1;
    const answer = await handleBonusCall(
      { body, headers: this.wrong.headers?.(given, body) ?? given },
      {
        secrets: engineSecret,
        now: this.now,
        toleranceSeconds: this.wrong.toleranceSeconds ?? 300,
        bonuses: async (question) => {
          const right = bonusesOf(question);
          return ((await this.wrong.bonuses?.(question, right)) ?? right) as OwnBonus[];
        },
      },
    ).catch(() => ({ status: 500, headers: {}, body: '{}' }));
    this.now += this.wrong.takesMs?.(this.asked) ?? 20;
    const changed = this.wrong.respond?.(JSON.parse(body) as BonusQuestion, JSON.parse(answer.body), answer.status);
    return changed ?? new Response(answer.body, { status: answer.status });
  };
}

/** What the user sees. A question without a currency gets the bonuses in three. */
function bonusesOf({ userId, currency }: BonusQuestion): OwnBonus[] {
  const inCurrencies = (one: (code: string) => OwnBonus[]): OwnBonus[] =>
    currency === undefined ? ['EUR', 'JPY', 'KWD'].flatMap(one) : one(currency);
  if (userId === 'one') return inCurrencies((code) => [money(`vip-${code}`, code)]);
  if (userId === 'spins') return inCurrencies((code) => [spins(`spins-${code}`, code)]);
  const each = currency === undefined ? 10 : 50;
  return userId === 'many' ? inCurrencies((code) => numbers(each).map((n) => money(`b-${code}-n${n}x`, code))) : [];
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export const money = (id: string, currency = 'EUR', terms: object = {}): OwnBonus => ({
  id,
  type: 'deposit',
  currency,
  title: { en: 'For you' },
  depositBonusData: {
    minDeposit: '10.00',
    maxBonusAmount: '100.00',
    percent: 50,
    payoutMultiplier: 3,
    wagerMultiplier: 30,
    ...terms,
  },
});

export const spins = (id: string, currency = 'EUR'): OwnBonus => ({
  id,
  type: 'freespin',
  currency,
  title: { en: 'Free spins', de: 'Freispiele' },
  freespinBonusData: { count: 20, minDeposit: '10', maxSpinWin: '5', payoutMultiplier: 1, wagerMultiplier: 30 },
});

/** The headers as the cashier would have sent them. */
export function signedAnew(headers: Headers, body: string, now: number): Headers {
  const { id } = JSON.parse(body) as BonusQuestion;
  const at = headers['webhook-timestamp'] ?? String(Math.floor(now / 1000));
  const [key = ''] = keysOf(engineSecret);
  const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
}
