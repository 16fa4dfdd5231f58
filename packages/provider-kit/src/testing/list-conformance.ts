/** The tests that every provider with a list must pass (SRV-1, SRV-2). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fromDecimalText } from '../money-units.ts';
import type { Provider, ProviderDeposit } from '../provider.ts';
import { type ListedTransaction, readListAnswer } from '../transaction-list.ts';
import type { TestRunner } from './test-runner.ts';

/** What the tests of a list need of the stand-in for the company. */
export interface ListBench {
  /** Makes the company send at most two transactions on a page. */
  shortenPages(): void;
  /** Stops the company from answering. @returns makes it answer again */
  silence(): () => void;
  /** Puts a transaction into the company's list whose amount is no amount. */
  spoil(): void;
  /** Makes the company finish the refunds that it has accepted. Absent: it makes them at once. */
  finishRefunds?(): void;
}

interface ListTests {
  readonly bench: () => { readonly provider: Provider; readonly list?: ListBench };
  /** Minor units that the list must carry exactly. */
  readonly amounts: readonly bigint[];
  pay(more?: Partial<ProviderDeposit>): Promise<{ readonly deposit: ProviderDeposit; readonly providerRef: string }>;
}

const HOUR_MS = 3_600_000;
/** More pages than any bench has. */
const MOST_PAGES = 100;
/** Around the payments of a test. */
const around = () => ({ from: Date.now() - HOUR_MS, to: Date.now() + HOUR_MS });

interface Period {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** Asks for a page, and checks it as the cashier does. */
async function pageOf(provider: Provider, { from, to }: Period, cursor?: string) {
  if (provider.list === undefined) throw new Error('The provider has no list');
  const asked = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(cursor !== undefined && { cursor }),
  };
  const answer = readListAnswer(await provider.list({ ...asked, signal: new AbortController().signal }), asked);
  if (answer.kind !== 'page') throw new Error(`Expected a page, not ${answer.kind} (${answer.code})`);
  return answer;
}

/** Reads every page. @throws when a cursor repeats or the pages do not end */
async function wholeList(provider: Provider, period: Period) {
  const transactions: ListedTransaction[] = [];
  const cursors: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await pageOf(provider, period, cursor);
    transactions.push(...page.transactions);
    if (page.next === undefined) return { transactions, cursors };
    assert(!cursors.includes(page.next), 'A cursor repeats');
    assert(cursors.length < MOST_PAGES, 'The pages do not end');
    cursor = page.next;
    cursors.push(cursor);
  }
}

function isOf({ ownId, references }: ListedTransaction, id: string, providerRef?: string): boolean {
  return ownId === id || (providerRef !== undefined && references.includes(providerRef));
}

/** Registers the tests of a provider's list. */
export function describeList({ test }: TestRunner, { bench, amounts, pay }: ListTests): void {
  const listBench = (): ListBench => {
    const { list } = bench();
    if (list === undefined) throw new Error('The bench has no list');
    return list;
  };

  test('[SRV-1] every payment is listed once and exactly, over pages that end and stay the same', async () => {
    const { provider } = bench();
    listBench().shortenPages();
    const paid = [];
    for (const amountMinor of [...amounts, ...amounts]) paid.push(await pay({ amountMinor, depositId: randomUUID() }));
    const period = around();
    const { transactions, cursors } = await wholeList(provider, period);
    assert(cursors.length > 0, 'The list has one page alone, so nothing shows that its pages end');
    for (const { deposit, providerRef } of paid) {
      const listed = transactions.filter((one) => isOf(one, deposit.depositId, providerRef));
      const told = listed.map(({ kind, currency, amount }) => [kind, currency, fromDecimalText(amount, currency)]);
      assert.deepEqual(told, [['payment', deposit.currency, deposit.amountMinor]]);
    }
    assert.deepEqual(await wholeList(provider, period), { transactions, cursors });
    for (const cursor of cursors) {
      assert.deepEqual(await pageOf(provider, period, cursor), await pageOf(provider, period, cursor));
    }
  });

  test('[SRV-1] a payment that nobody has paid is not listed', async () => {
    const { provider } = bench();
    await pay();
    const before = (await wholeList(provider, around())).transactions;
    assert.equal(before.filter(({ kind }) => kind === 'payment').length, 1);
  });

  test('[SRV-1] the period has its beginning and not its end', async () => {
    const { provider } = bench();
    const { deposit, providerRef } = await pay();
    const own = (transactions: readonly ListedTransaction[]) =>
      transactions.filter((one) => one.kind === 'payment' && isOf(one, deposit.depositId, providerRef));
    const [listed] = own((await wholeList(provider, around())).transactions);
    assert(listed !== undefined, 'The payment is not listed');
    const at = Date.parse(listed.at);
    assert.equal(own((await wholeList(provider, { from: at, to: at + HOUR_MS })).transactions).length, 1);
    assert.equal(own((await wholeList(provider, { from: at - HOUR_MS, to: at })).transactions).length, 0);
  });

  test('[SRV-1] a refund is listed as money that leaves', async () => {
    const { provider } = bench();
    if (provider.refund === undefined) return;
    const { deposit, providerRef } = await pay();
    const refundId = randomUUID();
    const { depositId, amountMinor, currency } = deposit;
    await provider.refund({ refundId, depositId, providerRef, amountMinor, currency });
    listBench().finishRefunds?.();
    const { transactions } = await wholeList(provider, around());
    const refunds = transactions.filter(({ kind }) => kind === 'refund');
    assert.deepEqual(
      refunds.map((one) => [one.currency, fromDecimalText(one.amount, one.currency)]),
      [[currency, -amountMinor]],
    );
    assert.equal(transactions.filter((one) => one.kind === 'payment').length, 1, 'The payment itself stays listed');
  });

  test('[SRV-2] a company that does not answer, or sends no amount, is an error and never an empty page', async () => {
    const { provider } = bench();
    await pay();
    const answerAgain = listBench().silence();
    await assert.rejects(() => pageOf(provider, around()));
    answerAgain();
    assert.equal((await wholeList(provider, around())).transactions.length, 1);
    listBench().spoil();
    await assert.rejects(() => wholeList(provider, around()));
  });
}
