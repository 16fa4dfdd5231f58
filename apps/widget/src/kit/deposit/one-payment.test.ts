/** At most one payment per intent, whatever the network does to calls and answers. */
import { type AccountType, depositCreateP2p, type RequestOf, type withdrawalCreate } from '@opencashier/contract/api';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createFixtureServices } from '../session/services-fixture.ts';
import { createWithdrawalDriver, type WithdrawalDriver } from '../withdrawal/withdrawal-driver.ts';
import { type EngineState, heldState } from '../withdrawal/withdrawal-engine.ts';
import { createDepositDriver } from './deposit-driver.ts';
import type { CreateStep } from './deposit-ports.ts';
import { anyFate, createUnreliableNetwork, type Fate, type UnreliableNetwork } from './unreliable-network-fixture.ts';

interface Story {
  readonly fates: readonly Fate[];
  readonly chargesAtOnce: boolean;
  /** What the user types before each press, after being told that nothing came of the one before. */
  readonly amounts: readonly string[];
  /** When the user goes Back after each press and opens a form again, in ms; undefined: stays. */
  readonly leavesAfterMs: readonly (number | undefined)[];
}

const anyStory: fc.Arbitrary<Story> = fc.record({
  fates: fc.array(anyFate, { minLength: 1, maxLength: 8 }),
  chargesAtOnce: fc.boolean(),
  amounts: fc.array(fc.constantFrom('25.05', '30.05'), { minLength: 3, maxLength: 3 }),
  leavesAfterMs: fc.array(fc.constantFrom(undefined, undefined, 10, 3000, 25_000), { minLength: 3, maxLength: 3 }),
});

/** What the tab stores; forgotten with each story. */
const areas = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() };
const forgetStored = (): void => {
  for (const kept of Object.values(areas)) kept.clear();
};
beforeEach(() => {
  for (const [name, kept] of Object.entries(areas)) {
    vi.stubGlobal(name, {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
  }
});

const transports = ['http', 'socket'] as const;
/** Longer than every delay and every pause of the widget together. */
const allOverMs = 600_000;

/** Presses again as long as the last press failed, as a payer would who was told "nothing was sent". */
async function persist(
  clock: TestClock,
  { amounts, leavesAfterMs }: Pick<Story, 'amounts' | 'leavesAfterMs'>,
  press: (amount: string) => void,
  at: () => string,
  leave: () => void = () => undefined,
) {
  for (const [index, amount] of amounts.entries()) {
    press(amount);
    const leavesAfter = leavesAfterMs[index];
    if (leavesAfter !== undefined) {
      await clock.advanceAsync(leavesAfter);
      // A user who has seen the outcome of the deposit starts another one on purpose.
      if (at() === 'done') break;
      leave();
      continue;
    }
    // The user reads for a moment what is said, and late copies may come in it.
    await clock.advanceAsync(2000);
    for (let waited = 0; ['idle', 'failed'].includes(at()) === false && waited < 40; waited += 1) {
      await clock.advanceAsync(10_000);
    }
    if (at() !== 'failed') break;
  }
  await clock.advanceAsync(allOverMs);
}

async function tellDeposit(story: Story, transport: 'http' | 'socket', more: { create?: CreateStep; boxId?: string }) {
  forgetStored();
  const clock = createTestClock();
  const network = createUnreliableNetwork({ clock, transport, ...story });
  const services = { ...createFixtureServices(), clock, api: network.client };
  const told = new Map<string, number>();
  const pressedAt: number[] = [];
  let made = 0;
  const keys = new Set<string>();
  const open = () =>
    createDepositDriver(() => ({
      services: { ...services, navigation: undefined, notify: undefined } as never,
      create: more.create,
      methodText: 'Card',
      linkPolicy: {},
      hasPage: () => false,
      openWindow: () => undefined,
      returnUrl: (depositId) => {
        keys.add(depositId);
        return 'https://cashier.example/returned';
      },
      showErrors: () => undefined,
      // "Nothing was sent": no key so far may make a payment.
      handleError: ({ code }) => {
        if (code === 'socket.networkError') for (const sent of keys) told.set(sent, clock.now());
      },
      go: () => undefined,
      runCaptcha: () => Promise.reject(new Error('no captcha here')),
      makeId: () => {
        made += 1;
        return `01890a5d-ac96-774b-bcce-${String(made).padStart(12, '0')}`;
      },
    }));
  let driver = open();
  const press = (amount: string): void => {
    pressedAt.push(clock.now());
    driver.submit({
      request: {
        amount,
        currency: 'USD',
        fields: {},
        isActivatedBonus: false,
        paymentType: 'card',
        ...(more.boxId === undefined ? {} : { boxId: more.boxId, boxPrice: amount }),
      },
      isValid: true,
      needsPreparation: false,
      needsCaptcha: false,
      opensWindow: false,
    });
  };
  const leave = (): void => {
    driver.dispose();
    driver = open();
  };
  await persist(clock, story, press, () => driver.getState().at, leave);
  driver.close();
  const heard = new Map<string, string>();
  for (const { messageType, payload } of services.posted) {
    if (messageType === 'transaction' && payload.depositId !== undefined) heard.set(payload.depositId, payload.event);
  }
  const state = driver.getState();
  const step = state.at === 'done' ? state.step : undefined;
  return { alive: network.alive(), told, unasked: unaskedOf(network, told, pressedAt), heard, at: state.at, step };
}

/**
 * The payments that were possible although the payer had read "nothing was sent", and that no later press asked for. The same press again
 * may keep its key: its own create makes the payment, and left the device after it.
 */
function unaskedOf(
  network: UnreliableNetwork,
  told: ReadonlyMap<string, number>,
  pressedAt: readonly number[],
): string[] {
  return network.alive().filter((key) => {
    const [toldAt, leftAt = 0] = [told.get(key), network.leftAt(key)];
    return toldAt !== undefined && !pressedAt.some((pressed) => pressed >= toldAt && pressed <= leftAt);
  });
}

/** What the widget creates by `withdrawal-create`: a redemption of the sweepstake is the same call from the prize balance. */
const heldFrom: Record<string, AccountType> = { withdrawal: 'main', 'sweepstake redemption': 'additional' };

async function tellWithdrawal(
  story: Story,
  transport: 'http' | 'socket',
  { accountType = 'main', confirms = false }: { accountType?: AccountType; confirms?: boolean } = {},
) {
  forgetStored();
  const clock = createTestClock();
  const network = createUnreliableNetwork({ clock, transport, ...story });
  const services = { ...createFixtureServices(), clock, api: network.client };
  const told = new Map<string, number>();
  const pressedAt: number[] = [];
  const shown: string[] = [];
  let made = 0;
  let last = '';
  const open = (start?: EngineState): WithdrawalDriver =>
    createWithdrawalDriver(
      {
        services: { ...services, navigation: undefined, notify: undefined } as never,
        showErrors: () => undefined,
        // "Nothing was sent": the key may hold nothing.
        handleError: ({ code }, step) => {
          if (step === 'create' && code === 'socket.networkError') told.set(last, clock.now());
        },
        go: (to, id) => {
          shown.push(`${to} ${id}`);
          if (to !== 'confirm') return;
          confirmation = open(heldState(id));
          if (confirms && shown.length === 1) confirmation.confirm();
        },
        makeId: () => {
          made += 1;
          return `01890a5d-ac96-774b-bcce-${String(made).padStart(12, '0')}`;
        },
      },
      start,
    );
  let confirmation: WithdrawalDriver | undefined;
  let form = open();
  const watch = (): void => {
    form.subscribe(() => {
      const state = form.getState();
      if ('withdrawalId' in state) last = state.withdrawalId;
    });
  };
  watch();
  const request = (amount: string): Omit<RequestOf<typeof withdrawalCreate>, 'withdrawalId'> => ({
    amount,
    currency: 'USD',
    paymentMethod: 'card',
    fields: {},
    selectedCountry: 'IN',
    accountType,
  });
  const leave = (): void => {
    confirmation?.dispose();
    confirmation = undefined;
    form.dispose();
    form = open();
    watch();
  };
  const at = (): string => (form.getState().at === 'over' ? 'done' : form.getState().at);
  const press = (amount: string): void => {
    pressedAt.push(clock.now());
    form.submit(request(amount), true);
  };
  await persist(clock, story, press, at, leave);
  return { alive: network.alive(), told, unasked: unaskedOf(network, told, pressedAt), shown, at: form.getState().at };
}

const runs = { numRuns: 40 };
const createP2p: CreateStep = async ({ paymentType, returnUrl: _returnUrl, wallet: _wallet, ...body }, api, signal) => {
  const { depositId } = await api.call(depositCreateP2p, { ...body, paymentMethod: paymentType }, { signal });
  return { kind: 'own-route', depositId, data: undefined };
};
const ways: Record<string, { create?: CreateStep; boxId?: string }> = {
  'deposit-create': {},
  'deposit-create-p2p': { create: createP2p },
  'deposit-create-sweepstake': { boxId: 'box-1' },
};

for (const transport of transports) {
  describe(`over ${transport}`, () => {
    for (const [call, more] of Object.entries(ways)) {
      test(`[DEP-16] [ERR-2] ${call}: whatever the network does, at most one payment, and none after "nothing was sent"`, async () => {
        await fc.assert(
          fc.asyncProperty(anyStory, async (story) => {
            const { alive, unasked } = await tellDeposit(story, transport, more);
            expect(alive.length).toBeLessThanOrEqual(1);
            expect(unasked).toEqual([]);
          }),
          runs,
        );
      });
    }

    test('[HOST-15] whatever the network does, the host knows every deposit that may be paid, and no other', async () => {
      await fc.assert(
        fc.asyncProperty(anyStory, async (story) => {
          const { alive, told, heard } = await tellDeposit({ ...story, leavesAfterMs: [] }, transport, {});
          for (const key of alive) expect(heard.get(key)).toMatch(/progress|processing|success/);
          for (const key of told.keys()) {
            if (!alive.includes(key)) expect(heard.get(key) ?? 'decline').toBe('decline');
          }
        }),
        runs,
      );
    });

    for (const [what, accountType] of Object.entries(heldFrom)) {
      test(`[WD-2] [ERR-2] ${what}: whatever the network does, at most one amount is on hold, and none after "nothing was sent"`, async () => {
        await fc.assert(
          fc.asyncProperty(anyStory, async (story) => {
            const { alive, unasked } = await tellWithdrawal(story, transport, { accountType });
            expect(alive.length).toBeLessThanOrEqual(1);
            expect(unasked).toEqual([]);
          }),
          runs,
        );
      });
    }
  });
}

test('[DEP-16] [ERR-2] never sent, and pressed again with the same amount: one payment', async () => {
  const unsent: Fate = { arrivals: [], refusedCopy: undefined, answer: 'unsent', answerAtMs: 50 };
  const story = { fates: Array(4).fill(unsent), chargesAtOnce: true, leavesAfterMs: [] };
  for (const transport of transports) {
    const pressedTwice = { ...story, amounts: ['25.05', '25.05'] };
    expect((await tellDeposit(pressedTwice, transport, {})).alive).toHaveLength(1);
    expect((await tellWithdrawal(pressedTwice, transport)).alive).toHaveLength(1);
    const pressedOnce = { ...story, amounts: ['25.05'] };
    for (const once of [await tellDeposit(pressedOnce, transport, {}), await tellWithdrawal(pressedOnce, transport)]) {
      expect(once).toMatchObject({ alive: [], at: 'failed' });
      expect(once.told.size).toBe(1);
    }
  }
});

test('[DEP-16] [ERR-2] answered by 504 and delivered nine seconds later: the second, changed press is the only payment', async () => {
  const late: Fate = { arrivals: [9000], refusedCopy: undefined, answer: 'gateway-504', answerAtMs: 1000 };
  const story = { fates: [late], chargesAtOnce: true, amounts: ['25.05', '30.05'], leavesAfterMs: [] };
  for (const transport of transports) {
    const { alive, at, told } = await tellDeposit(story, transport, {});
    expect(at).toBe('done');
    expect(alive).toHaveLength(1);
    expect(told.size).toBe(1);
    expect((await tellWithdrawal(story, transport)).alive).toHaveLength(1);
  }
});

test('[DEP-16] [ERR-2] Back during a create and another deposit from another screen: the first is void before the second is sent', async () => {
  const late: Fate = { arrivals: [9000], refusedCopy: undefined, answer: 'cut', answerAtMs: 15_000 };
  const story = { fates: [late], chargesAtOnce: true, amounts: ['25.05', '30.05'], leavesAfterMs: [3000] };
  for (const transport of transports) {
    const { alive, at } = await tellDeposit(story, transport, {});
    expect(at).toBe('done');
    expect(alive).toHaveLength(1);
  }
});

test('[HOST-15] Back during a create: the host knows that it may be paid', async () => {
  const late: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'true', answerAtMs: 15_000 };
  const story = { fates: [late], chargesAtOnce: true, amounts: ['25.05'], leavesAfterMs: [3000] };
  const { alive, heard } = await tellDeposit(story, 'http', {});
  expect(Object.fromEntries(heard)).toEqual({ [`${alive[0]}`]: 'progress' });
});

test('[HOST-15] [ERR-2] a repeat that is refused for now: the host hears of no decline before the deposit is cancelled', async () => {
  const made: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'gateway-504', answerAtMs: 50 };
  const known: Fate = { ...made, answer: 'true' };
  const refusedRepeat: Fate = { arrivals: [20], refusedCopy: 0, answer: 'true', answerAtMs: 2000 };
  const lost: Fate = { arrivals: [], refusedCopy: undefined, answer: 'cut', answerAtMs: 50 };
  const story = { chargesAtOnce: false, amounts: ['25.05'], leavesAfterMs: [] };
  const fates = [made, known, refusedRepeat];
  const unanswered = await tellDeposit({ ...story, fates: [...fates, ...Array(20).fill(lost)] }, 'http', {});
  expect(unanswered.at).toBe('failed');
  expect(unanswered.alive).toHaveLength(1);
  expect([...unanswered.heard.values()]).toEqual(['progress']);
  const cancelled = await tellDeposit({ ...story, fates }, 'http', {});
  expect(cancelled.alive).toHaveLength(0);
  expect([...cancelled.heard.values()]).toEqual(['decline']);
});

test('[DEP-16] Back during a create that was charged meanwhile: the next press sends nothing and shows the first deposit', async () => {
  const paid: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'cut', answerAtMs: 15_000 };
  const story = { fates: [paid], chargesAtOnce: true, amounts: ['25.05', '30.05'], leavesAfterMs: [3000] };
  const { alive, step } = await tellDeposit(story, 'http', {});
  expect(alive).toHaveLength(1);
  expect(step).toEqual({ kind: 'complete', depositId: alive[0], status: 'processed' });
});

test('[DEP-16] a browser that refuses its storage to the frame: a deposit left during its create is still not paid beside another', async () => {
  for (const area of ['localStorage', 'sessionStorage']) {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal(area, { getItem: refuse, setItem: refuse, removeItem: refuse });
  }
  const slow: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'true', answerAtMs: 15_000 };
  const story = { fates: [slow], chargesAtOnce: true, amounts: ['25.05', '30.05'], leavesAfterMs: [3000] };
  expect((await tellDeposit(story, 'http', {})).alive).toHaveLength(1);
});

test('[WD-2] [ERR-2] Back from a held amount whose cancel is lost: it is given back before another is held', async () => {
  const honest: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'true', answerAtMs: 50 };
  const drop: Fate = { arrivals: [], refusedCopy: undefined, answer: 'shapeless', answerAtMs: 50 };
  const story = { fates: [honest, drop], chargesAtOnce: false, amounts: ['25.05', '30.05'], leavesAfterMs: [3000] };
  for (const transport of transports) {
    const { alive, at } = await tellWithdrawal(story, transport);
    expect(at).toBe('held');
    expect(alive).toHaveLength(1);
  }
});

test('[WD-2] Back during a confirm that was carried out: the next press holds nothing and shows the first withdrawal', async () => {
  const honest: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'true', answerAtMs: 50 };
  const taken: Fate = { arrivals: [20], refusedCopy: undefined, answer: 'cut', answerAtMs: 15_000 };
  const story = { fates: [honest, taken], chargesAtOnce: false, amounts: ['25.05', '30.05'], leavesAfterMs: [3000] };
  for (const transport of transports) {
    const { alive, shown } = await tellWithdrawal(story, transport, { confirms: true });
    expect(alive).toHaveLength(1);
    expect(shown).toEqual([`confirm ${alive[0]}`, `complete ${alive[0]}`]);
  }
});
