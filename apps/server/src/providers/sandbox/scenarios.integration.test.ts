import { describe, expect, test } from 'vitest';
import { created, deposit, setUpBench } from './testing/bench.ts';

const bench = setUpBench();

describe('amounts that choose the outcome', () => {
  const run = async (amountMinor: bigint, currency = 'USD') => {
    const { sandbox } = bench();
    const request = deposit({ amountMinor, currency });
    const result = await sandbox.provider.create(request);
    return { request, result };
  };

  test('[SRV-4] .01 and .14 are declined, the latter with a message', async () => {
    expect((await run(2_501n)).result).toEqual({
      kind: 'declined',
      code: 'insufficient-funds',
      cause: 'insufficient-funds',
    });
    expect((await run(2_514n)).result).toMatchObject({ kind: 'declined', code: 'banking.merchantClientError' });
    expect((await run(2_514n)).result).toHaveProperty('message', expect.stringContaining('another method'));
  });

  test('[SRV-4] .02 fails, and an inquiry afterwards is undefined', async () => {
    const { sandbox } = bench();
    const { request, result } = await run(2_502n);
    expect(result).toEqual({ kind: 'failed', code: 'sandbox-unavailable' });
    expect(await sandbox.provider.inquire(request)).toBeUndefined();
  });

  test('[SRV-4] .03 hangs without a callback, and a later inquiry says paid', async () => {
    const { receiver, clock, sandbox, pass } = bench();
    const request = deposit({ amountMinor: 2_503n });
    const asked = sandbox.provider.create(request);
    await expect.poll(() => clock.pending()).toBeGreaterThan(0);
    clock.advance(3_000);
    expect(await asked).toEqual({ kind: 'unknown', code: 'timeout' });
    await pass(2_000);
    expect(receiver.received).toEqual([]);
    expect(await sandbox.provider.inquire(request)).toMatchObject({ outcome: 'paid', paidMinor: 2_503n });
  });

  test('[SRV-4] .04 hangs until the caller gives up, and no inquiry is ever answered', async () => {
    const { sandbox } = bench();
    const controller = new AbortController();
    const request = deposit({ amountMinor: 2_504n, signal: controller.signal });
    const asked = sandbox.provider.create(request);
    controller.abort();
    expect(await asked).toEqual({ kind: 'unknown', code: 'timeout' });
    await expect(sandbox.provider.inquire(request)).rejects.toThrow('does not answer');
  });

  test.each([
    [2_505n, 'USD', 0, ['paid'], 2_505n],
    [100_005n, 'BTC', 0, ['paid'], 100_005n],
    [2_506n, 'USD', 5_500, [], undefined],
    [2_506n, 'USD', 6_000, ['paid'], 2_506n],
    [2_507n, 'USD', 0, ['paid'], 1_253n],
    [2_508n, 'USD', 2_000, ['paid', 'paid', 'paid'], 2_508n],
    [2_509n, 'USD', 1_000, ['paid', 'pending'], 2_509n],
    [2_511n, 'USD', 1_000, ['paid'], 2_511n],
    [2_512n, 'USD', 15_000, ['expired'], undefined],
    [2_513n, 'USD', 9_500, ['paid'], 2_513n],
    [2_513n, 'USD', 10_000, ['paid', 'reversed'], 2_513n],
    [2_531n, 'USD', 10_000, ['paid', 'reversed', 'returned'], 2_531n],
    [2_515n, 'USD', 10_000, ['expired', 'paid'], undefined],
  ] as const)('[SRV-4] %s %s after %i ms: %j', async (amountMinor, currency, ms, outcomes, paidMinor) => {
    const { verifiedReports, pass } = bench();
    const { result } = await run(amountMinor, currency);
    expect(created(result).source).toBeUndefined();
    await pass(ms);
    expect(verifiedReports().map((one) => one.outcome)).toEqual(outcomes);
    if (paidMinor !== undefined) expect(verifiedReports()[0]?.paidMinor).toBe(paidMinor);
  });

  test('copies of one report share an event id, and different reports never do', async () => {
    const { verifiedReports, pass } = bench();
    await run(2_508n);
    await run(2_509n);
    await pass(2_000);
    const ids = verifiedReports().map((one) => one.eventId);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(3);
  });

  test('.11 sends a forged callback before the genuine one', async () => {
    const { receiver, verifiedReports, pass } = bench();
    await run(2_511n);
    await pass(1_000);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id']);
    expect(verifiedReports()).toHaveLength(1);
  });

  test('a refused forged callback is not sent again', async () => {
    const { receiver, sandbox, verifiedReports, pass } = bench();
    receiver.status = 401;
    await run(2_511n);
    await sandbox.deliverDue();
    receiver.status = 204;
    await pass(20_000);
    expect(receiver.received).toHaveLength(2);
    expect(verifiedReports()).toHaveLength(1);
  });

  test('an inquiry and the callback have the same event id', async () => {
    const { sandbox, verifiedReports } = bench();
    const { request } = await run(2_505n);
    await sandbox.deliverDue();
    expect(await sandbox.provider.inquire(request)).toEqual(verifiedReports()[0]);
  });
});
