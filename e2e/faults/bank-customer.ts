/** A customer of the bank test: makes random operations and notes the answers. */
import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import type { Dice } from './dice.ts';
import { type Answer, intentOfDeposit, intentOfWithdrawal, isFinal, Payer } from './payer.ts';

/** An operation of a customer, and the outcome that the customer knows. Amounts in cents. */
export interface Operation {
  readonly userId: string;
  readonly kind: 'deposit' | 'cancelled-deposit' | 'withdrawal' | 'cancelled-withdrawal' | 'transfer' | 'refund';
  /** The key of the intent. */
  readonly id: string;
  readonly amount: bigint;
  /** `unknown`: the only request got no answer. */
  outcome: 'done' | 'refused' | 'unknown';
  /** Only of transfers. */
  readonly from?: Account;
  readonly to?: Account;
  /** Only of refunds. */
  readonly depositId?: string;
}
type Account = 'main' | 'additional' | 'operator';

const currency = 'USD';

export class Customer {
  readonly history: Operation[] = [];
  readonly payer: Payer;
  readonly #dice: Dice;

  private constructor(payer: Payer, dice: Dice) {
    this.payer = payer;
    this.#dice = dice;
  }

  static async of(cluster: Cluster, userId: string, dice: Dice): Promise<Customer> {
    return new Customer(await Payer.of(cluster, userId), dice);
  }

  async doSomething(): Promise<void> {
    const act = this.#dice.pick([
      () => this.#payIn(),
      () => this.#payIn(),
      () => this.#payInAndCancel(),
      () => this.#cashOut(),
      () => this.#cashOut(),
      () => this.#cashOutAndCancel(),
      () => this.#transfer('operator', 'main'),
      () => this.#transfer('main', 'additional'),
      () => this.#transfer('additional', 'main'),
      () => this.#refund(),
    ]);
    await act();
  }

  #begin(kind: Operation['kind'], cents: bigint, more: Partial<Operation> = {}): Operation {
    const operation: Operation = {
      userId: this.payer.userId,
      kind,
      id: randomUUID(),
      amount: cents,
      outcome: 'unknown',
      ...more,
    };
    this.history.push(operation);
    return operation;
  }

  /** Most customers repeat a request until it is answered. Some close the page after the first try. */
  async #ask(call: string, body: object): Promise<Answer | undefined> {
    if (this.#dice.below(4) > 0) return this.payer.insist(call, body);
    const answer = await this.payer.post(call, body).catch(() => undefined);
    return answer !== undefined && isFinal(answer) ? answer : undefined;
  }

  /** Amounts that end in .05: the sandbox settles them by itself. */
  #someCents(): bigint {
    return BigInt(500 + 100 * this.#dice.below(40) + 5);
  }

  async #payIn(): Promise<void> {
    const operation = this.#begin('deposit', this.#someCents());
    settle(operation, await this.#ask('deposit-create', intentOfDeposit(operation.id, written(operation.amount))));
  }

  async #payInAndCancel(): Promise<void> {
    const operation = this.#begin('cancelled-deposit', 30_00n);
    const created = await this.#ask('deposit-create', intentOfDeposit(operation.id, '30.00'));
    if (created === undefined) return;
    settle(operation, await this.#ask('deposit-cancel', { depositId: operation.id, paymentMethod: 'card' }));
  }

  async #cashOut(): Promise<void> {
    const operation = this.#begin('withdrawal', this.#someCents());
    const held = await this.#ask('withdrawal-create', intentOfWithdrawal(operation.id, written(operation.amount)));
    if (held === undefined) return;
    if (held.status !== 200) return settle(operation, held);
    settle(operation, await this.#ask('withdrawal-confirm', { withdrawalId: operation.id }));
  }

  async #cashOutAndCancel(): Promise<void> {
    const operation = this.#begin('cancelled-withdrawal', this.#someCents());
    await this.#ask('withdrawal-create', intentOfWithdrawal(operation.id, written(operation.amount)));
    settle(operation, await this.#ask('withdrawal-cancel', { withdrawalId: operation.id }));
  }

  async #transfer(from: Account, to: Account): Promise<void> {
    const operation = this.#begin('transfer', BigInt(100 + this.#dice.below(3000)), { from, to });
    const { id: transferId, userId } = operation;
    const body = { transferId, amount: written(operation.amount), currency, from, to };
    settle(operation, await this.payer.insistAsOperator(`users/${userId}/transfers`, body));
  }

  async #refund(): Promise<void> {
    const refunded = new Set(this.history.flatMap(({ depositId }) => depositId ?? []));
    const deposit = this.history.find(
      ({ kind, outcome, id }) => kind === 'deposit' && outcome === 'done' && !refunded.has(id),
    );
    if (deposit === undefined) return;
    await this.payer.untilProcessed(deposit.id);
    const operation = this.#begin('refund', deposit.amount, { depositId: deposit.id });
    const body = { refundId: operation.id, staff: 'eve' };
    settle(operation, await this.payer.insistAsOperator(`transactions/${deposit.id}/refund`, body));
  }
}

function settle(operation: Operation, answer: Answer | undefined): void {
  if (answer !== undefined) operation.outcome = answer.status === 200 ? 'done' : 'refused';
}

function written(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
