import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSandboxProvider, SandboxForbiddenError } from './sandbox.ts';
import { created, deposit, setUpBench } from './testing/bench.ts';

const bench = setUpBench();

describe('the sandbox company', () => {
  test('[SRV-6] answers with the same payment for the same deposit, also for simultaneous requests', async () => {
    const { sandbox } = bench();
    const request = deposit();
    const answers = await Promise.all([1, 2, 3, 4].map(() => sandbox.provider.create(request)));
    expect(new Set(answers.map((answer) => created(answer).providerRef)).size).toBe(1);
    const other = await sandbox.provider.create({ ...request, amountMinor: 2_600n });
    expect(other).toEqual({ kind: 'unknown', code: 'idempotency-conflict' });
  });

  test('answers undefined for a deposit that it never got', async () => {
    const { sandbox } = bench();
    expect(await sandbox.provider.inquire({ depositId: randomUUID() })).toBeUndefined();
  });

  test('cancels an open payment once and reports it, and refuses to cancel a paid one', async () => {
    const { sandbox, openPage, choose, verifiedReports } = bench();
    const page = await openPage();
    const query = { depositId: page.request.depositId, providerRef: page.providerRef };
    await sandbox.provider.cancel?.(query);
    await sandbox.provider.cancel?.(query);
    await sandbox.deliverDue();
    expect(verifiedReports().map((one) => one.outcome)).toEqual(['cancelled']);
    expect((await choose(page, 'approve')).headers.location).toBe(page.path);
    const paid = await openPage();
    await choose(paid, 'approve');
    await expect(
      sandbox.provider.cancel?.({ depositId: paid.request.depositId, providerRef: paid.providerRef }),
    ).rejects.toThrow('cannot cancel');
  });
});

describe('[SRV-4] an account of the sandbox company that has a mood', () => {
  const accountIn = (mood: string) =>
    bench().sandbox.openAccount({
      operatorId: 'op',
      connectionId: randomUUID(),
      secrets: { callbackSecret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` },
      options: { mood },
    });

  test('takes nothing while it is down', async () => {
    const account = accountIn('down');
    const request = deposit();
    expect(await account.create(request)).toEqual({ kind: 'failed', code: 'sandbox-down' });
    expect(await account.inquire(request)).toBeUndefined();
  });

  test('answers late while it is slow', async () => {
    const { clock } = bench();
    const answer = accountIn('slow').create(deposit());
    expect(await Promise.race([answer, clock.advanceAsync(2_000)])).toBeUndefined();
    await clock.advanceAsync(1_000);
    expect(created(await answer).providerRef).not.toBe('');
  });

  test('says that it took nothing while it lies, and has the payment', async () => {
    const account = accountIn('lying');
    const request = deposit({ amountMinor: 2_505n });
    expect(await account.create(request)).toEqual({ kind: 'failed', code: 'sandbox-lied' });
    bench().clock.advance(10_000);
    expect(await account.inquire(request)).toMatchObject({ outcome: 'paid', depositId: request.depositId });
  });
});

describe('the callbacks of the sandbox company', () => {
  test('sends a callback again after 1, 5, 30 and 120 seconds with a new signature, until the cashier takes it', async () => {
    const { receiver, clock, sandbox, openPage, choose } = bench();
    const page = await openPage();
    receiver.status = 503;
    await choose(page, 'approve');
    await sandbox.deliverDue();
    const tries = [receiver.received.length];
    for (const seconds of [1, 5, 30, 120]) {
      clock.advance(seconds * 1_000 - 1);
      await sandbox.deliverDue();
      tries.push(receiver.received.length);
      clock.advance(1);
      if (seconds === 120) receiver.status = 204;
      await sandbox.deliverDue();
      tries.push(receiver.received.length);
    }
    expect(tries).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
    clock.advance(86_400_000);
    expect(await sandbox.deliverDue()).toBe(0);
  });

  test('gives up in the end, and still answers an inquiry', async () => {
    const { receiver, clock, sandbox } = bench();
    receiver.status = 500;
    const request = deposit({ amountMinor: 2_505n });
    await sandbox.provider.create(request);
    for (let day = 0; day < 20; day += 1) {
      await sandbox.deliverDue();
      clock.advance(86_400_000);
    }
    expect(receiver.received).toHaveLength(11);
    expect((await sandbox.provider.inquire(request))?.outcome).toBe('paid');
  });

  test('[SRV-3] reports after a crash what was decided before it', async () => {
    const { opened, clock, options, openPage, choose, verifiedReports } = bench();
    const page = await openPage();
    await choose(page, 'approve');
    // A sender leased the row and died before it sent it. The lease still runs.
    await opened.database.query({
      text: 'update sandbox_callback set attempts = 1, leased_until = $1 where ref = $2',
      values: [new Date(clock.now() + 30_000), page.providerRef],
    });
    const afterRestart = createSandboxProvider(options());
    expect(await afterRestart.deliverDue()).toBe(0);
    clock.advance(30_000);
    expect(await afterRestart.deliverDue()).toBe(1);
    expect(verifiedReports().map((one) => one.outcome)).toEqual(['paid']);
    expect((await afterRestart.provider.inquire(page.request))?.outcome).toBe('paid');
  });

  test('sends each callback once with two senders at once', async () => {
    const { receiver, sandbox, options } = bench();
    for (let count = 0; count < 20; count += 1) await sandbox.provider.create(deposit({ amountMinor: 2_505n }));
    const second = createSandboxProvider(options());
    await Promise.all([sandbox.deliverDue(), second.deliverDue()]);
    expect(receiver.received).toHaveLength(20);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
  });

  test('sends on time from the moment the server listens, and stops with the server', async () => {
    const { clock, sandbox, app, verifiedReports } = bench();
    await app.listen({ port: 0, host: '127.0.0.1' });
    await sandbox.provider.create(deposit({ amountMinor: 2_506n }));
    await expect.poll(() => clock.pending()).toBe(1);
    await clock.advanceAsync(6_000);
    await expect.poll(() => verifiedReports().map((one) => one.outcome)).toEqual(['paid']);
    await app.close();
    expect(clock.pending()).toBe(0);
  });

  test('sends again after the cashier was unreachable', async () => {
    const { clock, sandbox, options, verifiedReports } = bench();
    const away = createSandboxProvider(options({ callbackUrl: 'http://127.0.0.1:9/callbacks' }));
    await away.provider.create(deposit({ amountMinor: 2_505n }));
    expect(await away.deliverDue()).toBe(1);
    clock.advance(1_000);
    expect(await sandbox.deliverDue()).toBe(1);
    expect(verifiedReports()).toHaveLength(1);
  });

  test('[SRV-4] cannot be created where the configuration forbids it', () => {
    const { options } = bench();
    expect(() => createSandboxProvider(options({ isAllowed: false }))).toThrow(SandboxForbiddenError);
  });
});
