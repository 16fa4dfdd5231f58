/** The clock of a sandbox: time that an engineer moves ahead, so that nobody waits for an expiry. */
import * as v from 'valibot';
import { instantSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';

/** The most of one move of the clock, in seconds. */
export const mostSecondsOfMove = 366 * 86_400;

export const sandboxClockSchema = v.object({
  /** The time of the sandbox. */
  now: instantSchema,
  /** How far it is ahead of the machine's time, in seconds. @example 7200 */
  aheadSeconds: v.pipe(v.number(), v.integer()),
});
export type SandboxClock = v.InferOutput<typeof sandboxClockSchema>;

const errors = {
  404: '`not-found`: the cashier is no sandbox, or has a real provider.',
  409: '`state-conflict`: the clock is not of this operator alone, or time would go back in a ledger.',
} as const;

export const readSandboxClock = defineEndpoint({
  id: 'read-sandbox-clock',
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Only in the sandbox: the time of the cashier, and how far it was moved.',
  response: sandboxClockSchema,
  errors: { 404: errors[404] },
});

export const advanceSandboxClock = defineEndpoint({
  id: 'advance-sandbox-clock',
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary:
    'Only in the sandbox: moves the time of the whole cashier ahead. The answer comes when the time has moved. What is due then follows within seconds.',
  body: v.strictObject({
    /** How far, at most a year. @example 7200 */
    seconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostSecondsOfMove)),
  }),
  response: sandboxClockSchema,
  errors,
});

export const resetSandboxClock = defineEndpoint({
  id: 'reset-sandbox-clock',
  method: 'POST',
  path: '/sandbox/clock/reset',
  summary: 'Only in the sandbox: sets the time back to the machine’s, while nothing has happened since the move.',
  response: sandboxClockSchema,
  errors,
});
