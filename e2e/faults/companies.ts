/**
 * The companies of the fault test of routes, with their own books. Some fail, die in the middle of a call, answer slowly or too late, repeat
 * their callbacks and send them early or late. One of them lies: it takes money and says that it took nothing. Each choice follows from the
 * id of the payment, so a seed repeats a run.
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
  /** It takes the payment, and says so when the cashier has stopped waiting. */
  | 'late-yes'
  /** It takes nothing, and says so when the cashier has stopped waiting. */
  | 'late-no'
  | 'lies';

/** When its answer leaves. The time limit of the cashier of this test is 1.5 seconds. */
const LATE_MS = 4_000;
const SLOWEST_MS = 40;

/** A payment in the book of a company. */
export interface Booked {
  readonly id: string;
  readonly ref: string;
  /** Minor units, as a decimal string. */
  readonly amount: string;
  /** True: the company has the payer's money. */
  taken: boolean;
  readonly behaviour: Behaviour;
  /**
   * What the company answered to each call that creates, in order. `broken`: it gave no answer. `late`: nobody waited for it any more.
   * `unheard`: the process that had asked was dead.
   */
  readonly said: string[];
  /** The place of its first call among all events of all companies. */
  readonly askedAt: number;
  /** The place of its last answer among them. */
  answeredAt: number;
}

/** Takes the answer of a company to the process that asked. @returns false when that process is dead */
type Answering = (answer: CompanyAnswer) => boolean;

/** An answer, and when it leaves. */
interface Reply {
  readonly answer: CompanyAnswer;
  readonly afterMs: number;
}

let events = 0;
const nextEvent = (): number => {
  events += 1;
  return events;
};

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

  /** Takes a call that creates a payment. Some are never answered. */
  create(id: string, amount: string, answer: Answering): void {
    const known = this.book.get(id);
    const payment = known ?? this.#open(id, amount);
    const reply = known === undefined ? this.#first(payment) : atOnce(this.#again(payment));
    if (reply === undefined) {
      payment.said.push('broken');
      return;
    }
    const leave = (): void => {
      const isHeard = answer(reply.answer);
      payment.answeredAt = nextEvent();
      payment.said.push(reply.afterMs >= LATE_MS ? 'late' : isHeard ? reply.answer.kind : 'unheard');
    };
    if (reply.afterMs === 0) leave();
    else setTimeout(leave, reply.afterMs);
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
    const askedAt = nextEvent();
    const ref = `${this.name}-${id}`;
    const payment: Booked = { id, ref, amount, taken: false, behaviour, said: [], askedAt, answeredAt: 0 };
    this.book.set(id, payment);
    return payment;
  }

  #first(payment: Booked): Reply | undefined {
    switch (payment.behaviour) {
      case 'takes':
        return this.#slowly(payment, this.#take(payment));
      case 'fails':
      case 'fails-once':
        return this.#slowly(payment, { kind: 'failed' });
      case 'declines':
        return this.#slowly(payment, { kind: 'declined' });
      case 'dies-before':
        return atOnce({ kind: 'broken' });
      case 'dies-after':
        this.#take(payment);
        return atOnce({ kind: 'broken' });
      case 'never-answers':
        this.#take(payment);
        return undefined;
      case 'late-yes':
        return { answer: this.#take(payment), afterMs: LATE_MS };
      case 'late-no':
        return { answer: { kind: 'failed' }, afterMs: LATE_MS };
      case 'lies':
        this.#take(payment);
        return this.#slowly(payment, { kind: 'failed' });
    }
  }

  /** So that calls about one payment overlap wherever the cashier lets them. */
  #slowly({ id }: Booked, answer: CompanyAnswer): Reply {
    return { answer, afterMs: this.#dice(`${id} slowness`).below(SLOWEST_MS) };
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

const atOnce = (answer: CompanyAnswer): Reply => ({ answer, afterMs: 0 });
