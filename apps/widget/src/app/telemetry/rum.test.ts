import { mostErrorsOfVisit, type RumBeacon, rumBeaconSchema } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createRum, faultOf } from './rum.ts';

function begin(path = '/cashier/deposit/redirect/card_visa', partner = 'demo') {
  const clock = createTestClock();
  const sent: RumBeacon[] = [];
  const bodies: string[] = [];
  const rum = createRum({
    clock,
    partner,
    path: () => path,
    send(body) {
      bodies.push(body);
      sent.push(v.parse(rumBeaconSchema, JSON.parse(body)));
    },
  });
  return { clock, rum, sent, bodies };
}

/** A fault as the browser has it, thrown at a place of our build. */
function fault(name: string, line: number, message = 'secret jane@example.com'): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = `${name}: ${message}\n    at submit (https://cashier.example/cashier/assets/boot-x1.js:1:${line})\n    at next`;
  return error;
}

test('[NET-8] the last value of each vital is told once, with partner, version and screen', () => {
  const { rum, sent } = begin();
  rum.vital('CLS', 0.10004);
  rum.vital('LCP', 900);
  rum.vital('LCP', 1200.4567);
  rum.flush();
  rum.flush();
  expect(sent).toEqual([
    {
      partner: 'demo',
      version: expect.stringMatching(/^v1/),
      path: '/cashier/deposit/redirect/card_visa',
      vitals: [
        { name: 'CLS', value: 0.1 },
        { name: 'LCP', value: 1200.457 },
      ],
      errors: [],
    },
  ]);
});

test('[NET-8] a fault is told once, by class and place, soon and never by its message', () => {
  const { rum, sent, bodies, clock } = begin();
  rum.error(fault('TypeError', 42));
  rum.error(fault('TypeError', 42, 'another 4111111111111111'));
  expect(sent).toEqual([]);
  clock.advance(5000);
  rum.error(fault('TypeError', 42));
  rum.flush();
  expect(sent.map(({ errors }) => errors)).toEqual([[{ name: 'TypeError', at: 'boot-x1.js:1:42', count: 2 }]]);
  expect(bodies.join()).not.toMatch(/jane|4111|secret/);
  expect(clock.pending()).toBe(0);
});

test('[NET-8] no more than twenty different faults of a visit', () => {
  const { rum, sent } = begin();
  for (let line = 0; line < 50; line += 1) rum.error(fault('RangeError', line));
  rum.flush();
  for (let line = 50; line < 90; line += 1) rum.error(fault('RangeError', line));
  rum.flush();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.errors).toHaveLength(mostErrorsOfVisit);
});

test('[NET-8] what was thrown may be anything, and an address that is none of ours is left out', () => {
  for (const thrown of ['jane@example.com', undefined, null, 7, { a: 1 }, new DOMException('x', 'Weird name!')]) {
    const { name, at } = faultOf(thrown);
    expect([name, at].join()).not.toMatch(/jane/);
  }
  const { rum, sent } = begin('/cashier/Jane@example.com', 'no such partner!');
  rum.error('text');
  rum.flush();
  expect(sent[0]).toMatchObject({ path: '', partner: '', errors: [{ name: 'string', at: '', count: 1 }] });
});
