import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostLimits } from './limits.ts';
import { parseHostMessage, readPayload } from './parse-host-message.ts';

const bonus = { id: 'b1', type: 'deposit', currency: 'INR', content: { title: 'Welcome' } };

function loaded(payload: unknown) {
  return parseHostMessage({ messageType: 'loaded', payload });
}

describe('loaded', () => {
  test('[HOST-2] an empty payload takes every default of the specification', () => {
    const read = loaded({});
    expect(read).toEqual({
      kind: 'loaded',
      defaulted: [],
      payload: {
        bonusList: [],
        closingButton: true,
        experiments: [],
        schema: { meta: {}, assets: {} },
        widgetViewType: 'main',
        transport: 'socket',
        platformVersion: 'redesign',
        pwa: false,
        isMobileApp: false,
        paymentGeo: 'RU',
        platform: 'web',
        nativeActions: [],
        locale: 'en-US',
      },
    });
  });

  test('[HOST-2] a field of a wrong type takes its default, is named, and does not affect the others', () => {
    const read = loaded({ closingButton: 'no', transport: 'pigeon', currency: 'inr', token: 7, paymentGeo: 'IN' });
    if (read.kind !== 'loaded') throw new Error(read.kind);
    expect(read.defaulted.sort()).toEqual(['closingButton', 'currency', 'token', 'transport']);
    expect(read.payload).toMatchObject({ closingButton: true, transport: 'socket', paymentGeo: 'IN' });
    expect(read.payload).not.toHaveProperty('token');
    expect(read.payload).not.toHaveProperty('currency');
  });

  test('[HOST-2] unknown fields are dropped, and a prototype cannot be injected', () => {
    const read = loaded(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"x":1},"wallet":"w"}'));
    if (read.kind !== 'loaded') throw new Error(read.kind);
    expect(read.payload).not.toHaveProperty('wallet');
    expect(Object.hasOwn(read.payload, 'constructor')).toBe(false);
    expect((read.payload as unknown as Record<string, unknown>).isAdmin).toBeUndefined();
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });

  test.each([undefined, null, 'text', 3, [], true])(
    '[HOST-2] without a payload (%j) the message is reported as invalid',
    (payload) => {
      expect(loaded(payload)).toEqual({ kind: 'loaded-without-payload' });
    },
  );

  test('the default lists are new for every message', () => {
    const first = readPayload({}).payload;
    first.bonusList.push(bonus as never);
    expect(readPayload({}).payload.bonusList).toEqual([]);
  });

  test('a list keeps its valid items and is cut at its limit', () => {
    const list = [bonus, { id: 1 }, ...Array.from({ length: 300 }, (_, i) => ({ ...bonus, id: `n${i}` }))];
    const read = loaded({ bonusList: list });
    if (read.kind !== 'loaded') throw new Error(read.kind);
    expect(read.payload.bonusList).toHaveLength(hostLimits.bonuses - 1);
    expect(read.payload.bonusList[0]?.id).toBe('b1');
    expect(read.skipped).toEqual(['bonusList.1.id', `bonusList.${hostLimits.bonuses} and what follows`]);
  });

  test('a payload that is too large or too deep is not read', () => {
    expect(loaded({ host: 'x'.repeat(hostLimits.loadedBytes + 1) }).kind).toBe('oversize');
    let deep: unknown = 'end';
    for (let i = 0; i < 20; i++) deep = { deep };
    expect(loaded({ schema: deep }).kind).toBe('oversize');
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(loaded(cycle).kind).toBe('oversize');
  });
});

describe('bonus lists and close', () => {
  test('[HOST-3] fetched and updated lists are read from the payload or from beside the type', () => {
    expect(parseHostMessage({ messageType: 'bonus-list-fetched', payload: { success: false } })).toEqual({
      kind: 'bonus-list-fetched',
      success: false,
    });
    expect(parseHostMessage({ messageType: 'bonus-list-fetched', success: true, bonusList: [bonus] })).toEqual({
      kind: 'bonus-list-fetched',
      success: true,
      bonusList: [bonus],
    });
    expect(parseHostMessage({ messageType: 'bonus-list-updated', payload: { bonusList: [bonus, 7] } })).toEqual({
      kind: 'bonus-list-updated',
      bonusList: [bonus],
      skipped: ['bonusList.1'],
    });
  });

  const withPercent = (percent: unknown) => ({
    ...bonus,
    depositBonusData: {
      minDeposit: '20.00',
      maxBonusAmount: '100.00',
      percent,
      payoutMultiplier: 3,
      wagerMultiplier: 30,
    },
  });

  test.each([1e300, 1e-50, -1, Number.NaN, Number.POSITIVE_INFINITY, 1_000_001, '100', null])(
    '[BON-1] [HOST-2] a bonus of %s percent is skipped and named, and the others stay',
    (percent) => {
      const bonusList = [bonus, withPercent(percent), { ...withPercent(100), id: 'b3' }];
      const place = 'bonusList.1.depositBonusData.percent';
      const read = loaded({ bonusList });
      if (read.kind !== 'loaded') throw new Error(read.kind);
      expect(read.payload.bonusList.map(({ id }) => id)).toEqual(['b1', 'b3']);
      expect(read).toMatchObject({ defaulted: [], skipped: [place] });
      expect(parseHostMessage({ messageType: 'bonus-list-updated', payload: { bonusList } })).toMatchObject({
        skipped: [place],
      });
    },
  );

  test('[BON-1] every bonus left out of a list is reported', () => {
    const item = fc.oneof(fc.constant(bonus), fc.double().map(withPercent), fc.anything({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (bonusList) => {
        const read = parseHostMessage({ messageType: 'bonus-list-updated', payload: { bonusList } });
        if (read.kind !== 'bonus-list-updated') return;
        expect(read.bonusList.length + (read.skipped?.length ?? 0)).toBe(bonusList.length);
      }),
    );
  });

  test('close needs only its name', () => {
    expect(parseHostMessage({ messageType: 'close' })).toEqual({ kind: 'close' });
  });
});

describe('other values', () => {
  test('never throws, and never reads a foreign value as a message', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, maxDepth: 6 }), (value) => {
        const read = parseHostMessage(value);
        if (typeof value !== 'object' || value === null || !('messageType' in value)) expect(read.kind).toBe('foreign');
      }),
      { numRuns: 2000 },
    );
  });

  test('whatever a payload holds, the result has only known fields of the right types', () => {
    const names = ['closingButton', 'transport', 'locale', 'bonusList', 'schema', 'platform', 'pwa', 'currency', 'x'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.anything({ maxDepth: 3 })), (payload) => {
        const read = loaded(payload);
        if (read.kind === 'oversize') return;
        if (read.kind !== 'loaded') throw new Error(read.kind);
        expect(typeof read.payload.closingButton).toBe('boolean');
        expect(['socket', 'http']).toContain(read.payload.transport);
        expect(typeof read.payload.locale).toBe('string');
        expect(Array.isArray(read.payload.bonusList)).toBe(true);
        expect(read.payload).not.toHaveProperty('x');
      }),
      { numRuns: 1000 },
    );
  });

  test('a getter or a proxy that throws is foreign', () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap');
        },
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    );
    expect(parseHostMessage(trap).kind).toBe('foreign');
    expect(parseHostMessage({ messageType: 'loaded', payload: trap }).kind).toBe('foreign');
    const getter = {
      messageType: 'loaded',
      get payload() {
        throw new Error('trap');
      },
    };
    expect(parseHostMessage(getter).kind).toBe('foreign');
  });
});
