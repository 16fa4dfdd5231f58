import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ControlAction, control, controlActions, possibleActions } from './control.ts';
import type { FlowName } from './flow-names.ts';
import { factAt, openPayment } from './lifecycle.ts';
import type { SandboxPayment } from './payment.ts';

const NOW = 1_767_225_600_000;

function open(flow: FlowName): SandboxPayment {
  const request = {
    depositId: '7d9f0f0e-6d3b-4a39-9d0f-0a2d2f0d9a11',
    paymentMethod: 'any',
    amountMinor: 2_500n,
    currency: 'USD',
    returnUrl: 'https://cashier.example/return',
    flow,
    ...(flow === 'crypto' && { network: 'trc20', coin: 'USDT' }),
  };
  return openPayment(request, NOW).payment;
}

function after(payment: SandboxPayment, ...actions: [ControlAction, number?][]): SandboxPayment {
  return actions.reduce((current, [action, blocks = 1], index) => {
    const changed = control(current, action, NOW + index + 1, { paidMinor: 700n, blocks });
    if (changed === undefined) throw new Error(`${action} cannot happen`);
    return changed.payment;
  }, payment);
}

const later = NOW + 60_000;

describe('the actions of the control page', () => {
  test('blocks add up, and the last required one makes the payment paid', () => {
    const some = after(open('crypto'), ['seen'], ['confirm', 3], ['confirm', 16]);
    expect(factAt(some, later)).toMatchObject({
      outcome: 'pending',
      chain: { confirmations: 19, requiredConfirmations: 20 },
    });
    const all = after(open('crypto'), ['seen'], ['confirm', 3], ['confirm', 16], ['confirm']);
    // The amount that was seen becomes final.
    expect(factAt(some, later)).toMatchObject({ paidMinor: 700n });
    expect(factAt(all, later)).toMatchObject({ outcome: 'paid', paidMinor: 700n });
    expect(factAt(after(open('crypto'), ['confirm', 999]), later)).toMatchObject({
      chain: { confirmations: 20 },
      paidMinor: 2_500n,
    });
  });

  test('a peer-to-peer payment carries the provider’s own status words', () => {
    const word = (...actions: [ControlAction][]) => factAt(after(open('p2p'), ...actions), later)?.remoteStatus;
    expect([word(['pay']), word(['seen']), word(['cancel']), word(['auto-cancel']), word(['expire'])]).toEqual([
      'PAYED',
      'PAYED',
      'CANCELED',
      'AUTO_CANCELED',
      'AUTO_CANCELED',
    ]);
    expect(factAt(after(open('pix'), ['pay']), later)?.remoteStatus).toBeUndefined();
  });

  test('money can arrive after the end, and a chargeback takes the whole paid amount', () => {
    expect(factAt(after(open('pix'), ['expire'], ['pay']), later)?.outcome).toBe('paid');
    expect(factAt(after(open('pix'), ['pay-late']), NOW + 1)?.outcome).toBe('expired');
    expect(factAt(after(open('pix'), ['pay-late']), later)?.outcome).toBe('paid');
    expect(factAt(after(open('pix'), ['expire'], ['pay-more']), later)).toMatchObject({ paidMinor: 700n });
    expect(factAt(after(open('pix'), ['pay-less'], ['take-back']), later)).toMatchObject({
      outcome: 'reversed',
      paidMinor: 700n,
    });
  });

  test('further transfers to an address each have a transaction of their own', () => {
    const twice = after(open('crypto'), ['pay'], ['pay-again'], ['pay-again']);
    const hashes = twice.facts.map(({ chain }) => chain?.txid);
    expect(new Set(hashes).size).toBe(3);
    expect(factAt(twice, later)).toMatchObject({ outcome: 'paid', paidMinor: 700n });
    const takenBack = after(open('crypto'), ['pay'], ['pay-again'], ['pay-again'], ['take-back']);
    expect(factAt(takenBack, later)).toMatchObject({
      outcome: 'reversed',
      paidMinor: 700n,
      chain: { txid: takenBack.facts[2]?.chain?.txid },
    });
    expect(possibleActions(after(open('pix'), ['pay']), later)).toEqual(['take-back']);
  });

  test('callbacks about past facts are still sent, and planned ones are dropped', () => {
    const seen = control(open('pix'), 'seen', NOW + 1);
    expect(seen?.callbacks).toHaveLength(1);
    const paid = seen && control(seen.payment, 'pay', NOW + 2);
    expect(paid?.keptFacts).toEqual(seen?.payment.facts.map(({ eventId }) => eventId));
    const silent = control(open('pix'), 'never-answer', NOW + 1);
    expect([silent?.callbacks, silent?.payment.facts]).toEqual([[], []]);
  });

  test('in any order, each transfer is paid at most once, and a chargeback happens at most once and only after a payment', () => {
    const actions = fc.array(fc.constantFrom(...controlActions), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom<FlowName>('p2p', 'crypto', 'pix'), actions, (flow, planned) => {
        let payment = open(flow);
        for (const [index, action] of planned.entries()) {
          const at = NOW + index + 1;
          const changed = control(payment, action, at, { paidMinor: 700n, blocks: 7 });
          expect(changed !== undefined).toBe(possibleActions(payment, at).includes(action));
          payment = changed?.payment ?? payment;
        }
        const outcomes = payment.facts.map(({ outcome }) => outcome);
        const again = flow === 'crypto' ? planned.filter((action) => action === 'pay-again').length : 0;
        expect(outcomes.filter((outcome) => outcome === 'paid').length).toBeLessThanOrEqual(1 + again);
        expect(outcomes.filter((outcome) => outcome === 'reversed').length).toBeLessThanOrEqual(1);
        if (outcomes.includes('reversed')) expect(outcomes.indexOf('paid')).toBeLessThan(outcomes.indexOf('reversed'));
      }),
    );
  });
});
