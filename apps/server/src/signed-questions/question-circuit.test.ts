import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import { createQuestionCircuit } from './question-circuit.ts';

const url = 'https://api.example.com/wallet';

test('[SRV-2] after four failures a wallet is paused, then one call tries it, and its answer ends the pause', () => {
  const clock = createTestClock();
  const circuit = createQuestionCircuit(clock);
  for (let n = 0; n < 3; n += 1) circuit.failed('op', url);
  expect(circuit.pausedFor('op', url)).toBeUndefined();
  circuit.failed('op', url);
  expect(circuit.pausedFor('op', url)).toBe(10);
  expect(circuit.pausedFor('other', url)).toBeUndefined();
  clock.advance(10_000);
  expect(circuit.pausedFor('op', url)).toBeUndefined();
  // Meanwhile no second call is sent.
  expect(circuit.pausedFor('op', url)).toBe(20);
  circuit.failed('op', url);
  expect(circuit.pausedFor('op', url)).toBe(20);
  circuit.answered('op');
  expect(circuit.pausedFor('op', url)).toBeUndefined();
});

test('[SRV-2] a balance is not asked for in a pause, and afterwards leaves the place of the test call free', () => {
  const clock = createTestClock();
  const circuit = createQuestionCircuit(clock);
  for (let n = 0; n < 4; n += 1) circuit.failed('op', url);
  expect(circuit.pauseLeft('op', url)).toBe(10);
  clock.advance(10_000);
  expect(circuit.pauseLeft('op', url)).toBeUndefined();
  expect(circuit.pausedFor('op', url)).toBeUndefined();
  expect(circuit.pauseLeft('op', url)).toBe(20);
});

test('[SRV-2] another address of the operator starts without the failures of the old one', () => {
  const circuit = createQuestionCircuit(createTestClock());
  for (let n = 0; n < 4; n += 1) circuit.failed('op', url);
  expect(circuit.pausedFor('op', `${url}/new`)).toBeUndefined();
});

test('[SRV-2] calls that fail together pause a wallet once', () => {
  const clock = createTestClock();
  const circuit = createQuestionCircuit(clock);
  for (let n = 0; n < 40; n += 1) circuit.failed('op', url);
  expect(circuit.pausedFor('op', url)).toBe(10);
  clock.advance(10_000);
  circuit.failed('op', url);
  expect(circuit.pausedFor('op', url)).toBe(20);
});
