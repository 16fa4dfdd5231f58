/**
 * The companies of the fault test of routes, with their own books. Some fail, die in the middle of a call, answer too late, repeat their
 * callbacks and send them early or late. One of them lies: it takes money and says that it took nothing. Each choice follows from the id
 * of the payment, so a seed repeats a run.
 */
import { Dice } from './dice.ts';
import type { CompanyAnswer } from './routed-messages.ts';

/** What a company does with the first call about a payment. */
type Behaviour =
  | 'takes'
  | 'fails'
  /** A certain failure, and a repeated call succeeds: the company is well again. */
  | 'fails-once'
  | 'declines'
  | 'dies-before'
  | 'dies-after'
  | 'never-answers'
  | 'lies';

/** A payment in the book of a company. */
export interface Booked {
  readonly id: string;
  readonly ref: string;
  /** Minor units, as a decimal string. */
  readonly amount: string;
  /** True: the company has the payer's money. */
  taken: boolean;
  readonly behaviour: Behaviour;
  /** What the company answered to each call that creates, in order. `broken`: it gave no answer. */
  readonly said: string[];
}

export interface CallbackOf {
  readonly company: string;
  readonly id: string;
  readonly ref: string;
  readonly amount: string;
}

/** How often of a hundred; the rest takes the payment. */
type Habits = Readonly<Partial<Record<Exclude<Behaviour, 'takes'>, number>>>;

export class Company {
  readonly name: string;
  readonly habits: Habits;
  readonly book = new Map<string, Booked>();
  /** While true, every call fails for certain. */
  isDown = false;
  #inquiries = 0;
  readonly #seed: number;
  readonly #send: (callback: CallbackOf, delayMs: number) => void;

  /** @param send sends a callback after a delay, until the cashier has it */
  constructor(name: string, habits: Habits, seed: number, send: (callback: CallbackOf, delayMs: number) => void) {
    this.name = name;
    this.habits = habits;
    this.#seed = seed;
    this.#send = send;
  }

  /** Takes a call that creates a payment. Undefined: the company never answers. */
  create(id: string, amount: string): CompanyAnswer | undefined {
    const known = this.book.get(id);
    const payment = known ?? this.#open(id, amount);
    const answer = known === undefined ? this.#first(payment) : this.#again(payment);
    payment.said.push(answer?.kind ?? 'broken');
    return answer;
  }

  inquire(id: string): CompanyAnswer {
    const payment = this.book.get(id);
    // Now and then it does not answer.
    this.#inquiries += 1;
    if (this.#inquiries % 20 === 0) return { kind: 'broken' };
    if (payment?.taken !== true) return { kind: 'nothing' };
    return { kind: 'paid', ref: payment.ref, amount: payment.amount };
  }

  #open(id: string, amount: string): Booked {
    let left = this.#dice(id).below(100);
    const found = Object.entries(this.habits).find(([, share]) => {
      left -= share;
      return left < 0;
    });
    const behaviour = this.isDown ? 'fails' : ((found?.[0] ?? 'takes') as Behaviour);
    const payment: Booked = { id, ref: `${this.name}-${id}`, amount, taken: false, behaviour, said: [] };
    this.book.set(id, payment);
    return payment;
  }

  #first(payment: Booked): CompanyAnswer | undefined {
    switch (payment.behaviour) {
      case 'takes':
        return this.#take(payment);
      case 'fails':
      case 'fails-once':
        return { kind: 'failed' };
      case 'declines':
        return { kind: 'declined' };
      case 'dies-before':
        return { kind: 'broken' };
      case 'dies-after':
        this.#take(payment);
        return { kind: 'broken' };
      case 'never-answers':
        this.#take(payment);
        return undefined;
      case 'lies':
        this.#take(payment);
        return { kind: 'failed' };
    }
  }

  /** A repeated call has the same id, so it takes no money twice. */
  #again(payment: Booked): CompanyAnswer {
    if (payment.behaviour === 'fails' || payment.behaviour === 'lies') return { kind: 'failed' };
    if (payment.behaviour === 'declines') return { kind: 'declined' };
    return this.#take(payment);
  }

  #take(payment: Booked): CompanyAnswer {
    const { id, ref, amount } = payment;
    if (!payment.taken) {
      payment.taken = true;
      const dice = this.#dice(`${id} callbacks`);
      // None, one, or several: at once, which is often before the answer, or late.
      // Nobody asks about an attempt that failed: a lie that is never told is found in the settlement file alone.
      const isTold = payment.behaviour === 'takes' || payment.behaviour === 'lies';
      const times = isTold ? 1 + dice.below(3) : dice.below(3);
      for (let n = 0; n < times; n += 1) {
        this.#send({ company: this.name, id, ref, amount }, dice.below(2) === 0 ? 0 : dice.below(1_500));
      }
    }
    return { kind: 'created', ref };
  }

  #dice(text: string): Dice {
    let seed = this.#seed;
    for (const letter of `${this.name} ${text}`) seed = (Math.imul(seed, 31) + (letter.codePointAt(0) ?? 0)) | 0;
    const dice = new Dice(seed);
    dice.below(2);
    return dice;
  }
}
