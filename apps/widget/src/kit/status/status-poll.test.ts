import { describe, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { createFixtureServices } from '../session/services-fixture.ts';
import { createStatusPoll } from './status-poll.ts';

const depositId = '018f3c1a-0000-7000-8000-000000000001';
const report = (status: number) => ({
  depositId,
  paymentMethod: 'card',
  status,
  amount: '25.00',
  currency: 'USD',
  created: '2026-01-01T00:00:00Z',
  serverTime: '2026-01-01T00:00:00Z',
});
const unreachable = () =>
  new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'no connection' });

/** A poll against a server that can be away; the moments at which it was asked, in ms. */
function watch({ isAway = false, random = (): number => 0 } = {}) {
  const services = createFixtureServices();
  const { clock } = services;
  const start = clock.now();
  const asked: number[] = [];
  const server = { isAway, status: 0 };
  services.answer('deposit-status', () => {
    asked.push(clock.now() - start);
    return server.isAway ? Promise.reject(unreachable()) : report(server.status);
  });
  const poll = createStatusPoll(services, depositId, 'card', { random });
  return { services, clock, asked, server, poll };
}

describe('[DEP-15] [NET-3] the widget polls a waiting payment', () => {
  test('often at first, then seldom; once it is settled more seldom still, since late or returned money may come', async () => {
    const { clock, asked, server, poll } = watch();
    await clock.advanceAsync(60_000);
    expect(asked).toEqual([0, 2000, 5000, 10_000, 18_000, 31_000, 44_000, 57_000]);
    server.status = 1;
    await clock.advanceAsync(60_000);
    expect(asked.slice(8)).toEqual([70_000, 80_000, 95_000, 115_000]);
    expect(poll.getState()).toMatchObject({ report: { status: 1 }, isOffline: false });
    server.status = 2;
    await clock.advanceAsync(30_000);
    expect(poll.getState()).toMatchObject({ report: { status: 2 } });
    await clock.advanceAsync(600_000);
    expect(asked.length).toBeLessThan(25);
  });

  test('without answers it never waits longer than six seconds, whatever the delay before', async () => {
    const { clock, asked, server, poll } = watch();
    await clock.advanceAsync(31_000);
    server.isAway = true;
    asked.length = 0;
    await clock.advanceAsync(60_000);
    expect(asked).toEqual([
      44_000, 45_000, 47_000, 51_000, 56_000, 61_000, 66_000, 71_000, 76_000, 81_000, 86_000, 91_000,
    ]);
    expect(poll.getState().isOffline).toBe(true);
  });

  test('after a silence the first answer restarts the short pauses', async () => {
    const { clock, asked, server, poll } = watch({ isAway: true });
    await clock.advanceAsync(12_000);
    server.isAway = false;
    asked.length = 0;
    await clock.advanceAsync(15_000);
    expect(asked).toEqual([17_000, 19_000, 22_000, 27_000]);
    expect(poll.getState().isOffline).toBe(false);
  });

  test('many widgets do not come back at the same moment: each adds up to a second of its own', async () => {
    const { clock, asked } = watch({ isAway: true, random: () => 0.5 });
    await clock.advanceAsync(15_000);
    expect(asked).toEqual([0, 1500, 4000, 8500, 14_000]);
  });

  test('stopping ends the poll, even during a silence', async () => {
    const { clock, asked, poll } = watch({ isAway: true });
    await clock.advanceAsync(2000);
    poll.stop();
    asked.length = 0;
    await clock.advanceAsync(60_000);
    expect(asked).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  test('an answer that the server wrote earlier, or without a readable time, never replaces the known one', async () => {
    const { services, clock, poll } = watch();
    const answers: [status: number, serverTime: string][] = [
      [1, '2026-01-01T00:01:00Z'],
      [0, '2026-01-01T00:00:59Z'],
      [0, 'soon'],
      [2, '2026-01-01T00:01:00Z'],
    ];
    const seen: unknown[] = [];
    for (const [status, serverTime] of answers) {
      services.answer('deposit-status', () => ({ ...report(status), serverTime }));
      poll.askNow();
      await clock.advanceAsync(0);
      seen.push(poll.getState().report?.status);
    }
    expect(seen).toEqual([1, 1, 1, 2]);
  });

  test('a deposit that the server does not know is no silence', async () => {
    const { services, clock, asked, poll } = watch();
    services.answer('deposit-status', () => {
      asked.push(0);
      throw new ClientError({ kind: 'refused', code: 'not-found', status: 404, message: 'unknown' });
    });
    await clock.advanceAsync(5000);
    expect(poll.getState()).toMatchObject({ isNotFound: true, isOffline: false });
    expect(asked).toHaveLength(3);
  });
});
