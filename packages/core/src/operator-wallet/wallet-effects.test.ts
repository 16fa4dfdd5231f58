import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DebitPurpose, effectsOfCredit, effectsOfDebit, nextWalletTryS } from './wallet-effects.ts';

describe('[WD-2] a debit', () => {
  test.each([
    ['done', 'waiting', ['take-in', 'go-on']],
    ['done', 'blocked', ['take-in', 'give-back', 'refuse']],
    ['done', 'over', ['take-in', 'give-back']],
    ['declined', 'waiting', ['refuse']],
    ['declined', 'over', []],
    ['unknown', 'waiting', ['ask-again']],
    ['unknown', 'over', ['ask-again']],
  ] as const)('that is %s while its purpose is %s has the effects %j', (outcome, purpose, effects) => {
    expect(effectsOfDebit(outcome, purpose)).toEqual(effects);
  });
});

test('[SRV-2] a credit is settled only when it is done', () => {
  expect(effectsOfCredit('done')).toEqual(['settle']);
  expect(effectsOfCredit('unknown')).toEqual(['ask-again']);
  expect(effectsOfCredit('declined')).toEqual(['ask-again']);
});

test('[SRV-2] a call is repeated for ever, and the pauses grow to a quarter of an hour', () => {
  const delays = Array.from({ length: 40 }, (_, tries) => nextWalletTryS(tries));
  expect(delays[0]).toBe(1);
  expect(delays.at(-1)).toBe(900);
  expect(delays).toEqual([...delays].sort((left, right) => left - right));
});

/** What one send of a call meets. `lost`: the wallet never got it. `late`: the wallet executed it, and its answer was lost. */
type Network = 'lost' | 'late' | 'answered';

/** A wallet by the contract: it executes an id once and repeats its first answer. */
function createWallet(balance: bigint) {
  const answers = new Map<string, 'done' | 'declined'>();
  const wallet = {
    balance,
    send(id: string, amount: bigint, network: Network): 'done' | 'declined' | 'unknown' {
      if (network === 'lost') return 'unknown';
      let known = answers.get(id);
      if (known === undefined) {
        known = wallet.balance + amount < 0n ? 'declined' : 'done';
        if (known === 'done') wallet.balance += amount;
        answers.set(id, known);
      }
      return network === 'late' ? 'unknown' : known;
    },
  };
  return wallet;
}

test('[SRV-2] [WD-2] whatever the network does and whenever the user cancels, no money is made or lost', () => {
  const network = fc.array(fc.constantFrom<Network>('lost', 'late', 'answered'), { maxLength: 12 });
  const amounts = fc.record({ balance: fc.bigInt(0n, 200n), amount: fc.bigInt(1n, 200n) });
  const purposes = fc.record({
    endsAfter: fc.nat(12),
    end: fc.constantFrom<DebitPurpose>('over', 'blocked'),
    isPaidOut: fc.boolean(),
  });
  fc.assert(
    fc.property(network, amounts, purposes, (sends, { balance, amount }, { endsAfter, end, isPaidOut }) => {
      const wallet = createWallet(balance);
      // Of the ledger: what the user holds here, what is in transit back, and what was paid out.
      let held = 0n;
      let transit = 0n;
      let paidOut = 0n;
      let debit: 'open' | 'known' = 'open';
      // Every network is answered in the end.
      for (const [n, network] of [...sends, 'answered' as const, 'answered' as const].entries()) {
        if (debit === 'open') {
          const outcome = wallet.send('debit', -amount, network);
          for (const effect of effectsOfDebit(outcome, n >= endsAfter ? end : 'waiting')) {
            if (effect === 'take-in') held += amount;
            if (effect === 'give-back') {
              held -= amount;
              transit += amount;
            }
            if (effect === 'go-on' && isPaidOut) {
              held -= amount;
              paidOut += amount;
            }
            if (effect === 'go-on' && !isPaidOut) {
              held -= amount;
              transit += amount;
            }
          }
          if (outcome !== 'unknown') debit = 'known';
        } else if (transit > 0n && effectsOfCredit(wallet.send('release', amount, network)).includes('settle')) {
          transit = 0n;
        }
        expect(held).toBe(0n);
      }
      expect(debit).toBe('known');
      expect(wallet.balance + transit + paidOut).toBe(balance);
      expect(paidOut === 0n || (isPaidOut && balance >= amount)).toBe(true);
    }),
  );
});
