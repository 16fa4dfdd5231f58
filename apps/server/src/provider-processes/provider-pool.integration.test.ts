/** A hostile package with two operators: its crashes, hangs and floods cost the operator whose calls cause them, and nobody else (SRV-9). */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { testDeposit } from '@opencashier/provider-kit/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../observability/logger.ts';
import { openPackageAccount } from './package-connections.ts';
import { packagedInstallation } from './packaged-provider.ts';
import { createProviderPool, type ProviderPool } from './provider-pool.ts';
import { installedCanary } from './testing/canary.fixture.ts';

const MINUTE = 60_000;
const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
});

/** @param create what its `create` does  @param code its other methods */
async function hostile(create: string, code = '') {
  const { from } = installedCanary(create, { manifest: { accounts: {} }, code });
  const clock = createTestClock(Date.now());
  const log: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void log.push(line) });
  const pool = createProviderPool(from, { clock, logger });
  running.push(async () => {
    const stopped = pool.stop();
    // A process in an endless loop is ended after a second.
    clock.advance(1_000);
    await stopped;
  });
  await pool.start();
  const open = openPackageAccount(from, pool);
  return {
    clock,
    pool,
    log,
    installation: packagedInstallation(from, pool),
    /** The provider of an operator's own connection. */
    account: (operatorId: string) =>
      open({ operatorId, connectionId: `of-${operatorId}`, secrets: { key: `key-of-${operatorId}` }, options: {} }),
  };
}

const isUp = (pool: ProviderPool) =>
  vi.waitFor(() => expect(pool.isUp()).toBe(true), { timeout: 20_000, interval: 20 });
/** The answer, if there is one without the process. */
const nowOr = (answer: unknown, otherwise: string) =>
  Promise.race([answer, new Promise((resolve) => setImmediate(() => resolve(otherwise)))]);
const states = (pool: ProviderPool) =>
  Object.fromEntries(pool.quarantined().map(({ caller, state }) => [caller.operatorId, state]));

const POISON = `
  if (secrets.key === 'key-of-evil' && deposit.currency === 'EUR') { setTimeout(() => process.exit(1), 20); return new Promise(() => undefined); }
  if (deposit.currency === 'USD') return new Promise(() => undefined);
  return { kind: 'created', providerRef: 'r' };`;

/** Three crashes by the operator evil, each with a call of the operator good in hand. @returns the outcomes of good's calls */
async function crashThrice({ pool, clock, account }: Awaited<ReturnType<typeof hostile>>) {
  const outcomes: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    await isUp(pool);
    const innocent = account('good').create(testDeposit({ currency: 'USD' }));
    expect(await account('evil').create(testDeposit())).toEqual({ kind: 'unknown', code: 'provider-ended' });
    outcomes.push(await innocent);
    await vi.waitFor(() => expect(pool.isUp()).toBe(false));
    clock.advance(4_000);
  }
  await isUp(pool);
  return outcomes;
}

test('[SRV-3] [SRV-9] an operator whose calls crash the process runs apart, and the others go on', async () => {
  const made = await hostile(POISON);
  const { pool, clock, account, log } = made;
  expect(await crashThrice(made)).toEqual(Array(3).fill({ kind: 'unknown', code: 'provider-ended' }));
  expect(states(pool)).toEqual({ good: 'suspected', evil: 'suspected' });
  expect(log.join('\n')).toMatch(/"operator":"evil","connection":"of-evil".*they run in a process of their own/);
  expect(log.join('\n')).not.toContain('key-of-evil');

  const isUpFor = (operatorId: string) => pool.isUpFor({ operatorId, connectionId: `of-${operatorId}` });
  await vi.waitFor(() => expect([isUpFor('good'), isUpFor('evil')]).toEqual([true, true]), { timeout: 20_000 });
  // The next crash is of its own process: nobody else notices.
  const innocent = account('good').create(testDeposit({ currency: 'USD' }));
  expect(await account('evil').create(testDeposit())).toEqual({ kind: 'unknown', code: 'provider-ended' });
  expect(states(pool)).toMatchObject({ good: 'suspected', evil: 'proven' });
  expect([pool.isUp(), isUpFor('good'), isUpFor('other')]).toEqual([true, true, true]);
  expect(await account('other').create(testDeposit())).toMatchObject({ kind: 'created' });
  expect(await nowOr(innocent, 'still in hand')).toBe('still in hand');
  expect(pool.starts()).toBe(4);

  // Its own process starts again, so that its calls are tried again.
  await vi.waitFor(() => expect(isUpFor('evil')).toBe(false));
  expect(await account('evil').create(testDeposit())).toEqual({ kind: 'failed', code: 'provider-down' });
  clock.advance(1_000);
  await vi.waitFor(() => expect(isUpFor('evil')).toBe(true), { timeout: 20_000 });
});

test('[SRV-9] an innocent operator is back in the shared process after ten minutes, and the other one later', async () => {
  const made = await hostile(POISON);
  const { pool, clock, account, log } = made;
  await crashThrice(made);
  await vi.waitFor(() => expect(pool.isUpFor({ operatorId: 'evil', connectionId: 'of-evil' })).toBe(true));
  await account('evil').create(testDeposit());
  await vi.waitFor(() => expect(pool.isUpFor({ operatorId: 'evil', connectionId: 'of-evil' })).toBe(false));
  for (let passed = 0; passed < 10 * MINUTE; passed += 10_000) {
    clock.advance(10_000);
    // An answer of each process shows that it has answered the ping before, so the test's clock does not make it hang.
    for (const operatorId of ['good', 'evil', 'other']) {
      await vi.waitFor(async () =>
        expect(await account(operatorId).create(testDeposit({ currency: 'GBP' }))).toMatchObject({ kind: 'created' }),
      );
    }
  }
  expect(states(pool)).toEqual({ evil: 'proven' });
  expect(log.join('\n')).toMatch(/"operator":"good".*are back in the shared process/);
  expect(await account('good').create(testDeposit())).toMatchObject({ kind: 'created' });
});

test('[SRV-9] while four operators crash processes of their own, a fifth is refused for a minute, and others go on', async () => {
  const { pool, clock, account } = await hostile(`
    if (secrets.key.startsWith('key-of-evil') && deposit.currency === 'EUR') { setTimeout(() => process.exit(1), 20); return new Promise(() => undefined); }
    return { kind: 'created', providerRef: 'r' };`);
  const isUpFor = (operatorId: string) => pool.isUpFor({ operatorId, connectionId: `of-${operatorId}` });
  const crash = async (operatorIds: readonly string[]) => {
    await vi.waitFor(() => expect(operatorIds.map(isUpFor)).not.toContain(false), { timeout: 20_000 });
    await Promise.all(operatorIds.map((operatorId) => account(operatorId).create(testDeposit())));
    await vi.waitFor(() => expect(operatorIds.map(isUpFor)).not.toContain(true), { timeout: 20_000 });
    clock.advance(4_000);
  };
  const four = ['evil-1', 'evil-2', 'evil-3', 'evil-4'];
  for (let n = 0; n < 4; n += 1) await crash(four);
  expect(Object.values(states(pool))).toEqual(Array(4).fill('proven'));
  for (let n = 0; n < 2; n += 1) await crash(['evil-5']);
  await vi.waitFor(() => expect(isUpFor('evil-5')).toBe(true), { timeout: 20_000 });
  await account('evil-5').create(testDeposit());
  expect(states(pool)).toMatchObject({ 'evil-5': 'off' });
  clock.advance(4_000);
  await isUp(pool);
  expect(isUpFor('evil-5')).toBe(false);
  expect(await account('evil-5').create(testDeposit())).toEqual({ kind: 'failed', code: 'provider-quarantined' });
  const callback = { headers: {}, rawBody: Buffer.from('{}'), receivedAt: 0 };
  await expect(account('evil-5').verify(callback)).rejects.toThrow('quarantined');
  expect(await account('good').create(testDeposit())).toMatchObject({ kind: 'created' });
  for (let passed = 0; passed < MINUTE; passed += 5_000) {
    clock.advance(5_000);
    await account('good').create(testDeposit());
  }
  expect(states(pool)).not.toHaveProperty('evil-5');
  expect(await account('evil-5').create(testDeposit({ currency: 'GBP' }))).toMatchObject({ kind: 'created' });
});

test('[SRV-9] an operator whose call asks for too much is the only suspect, whoever else has calls in hand', async () => {
  const { pool, clock, account } = await hostile(`
    if (secrets.key === 'key-of-evil') for (let n = 0; n < 1_000; n += 1) void deposit.keepRequest('again').catch(() => undefined);
    return new Promise(() => undefined);`);
  const keepRequest = () => new Promise<string>(() => undefined);
  for (let n = 0; n < 3; n += 1) {
    await isUp(pool);
    const innocent = account('good').create(testDeposit());
    await account('evil').create(testDeposit({ keepRequest }));
    expect(await innocent).toEqual({ kind: 'unknown', code: 'provider-ended' });
    await vi.waitFor(() => expect(pool.isUp()).toBe(false));
    clock.advance(4_000);
  }
  expect(states(pool)).toEqual({ evil: 'suspected' });
});

test('[SRV-9] an operator whose inquiry ends in an endless loop is the suspect, also after its call was given up', async () => {
  const { pool, clock, account } = await hostile(
    `return { kind: 'created', providerRef: 'r' };`,
    `inquire: async () => { if (secrets.key === 'key-of-evil') for (;;); },`,
  );
  for (let n = 0; n < 3; n += 1) {
    await isUp(pool);
    const lost = expect(account('evil').inquire({ depositId: 'd' })).rejects.toThrow('timeout');
    clock.advance(10_000);
    await lost;
    clock.advance(10_000);
    await vi.waitFor(() => expect(pool.isUp()).toBe(false), { timeout: 20_000 });
    clock.advance(8_000);
  }
  expect(states(pool)).toEqual({ evil: 'suspected' });
});

test('[SRV-9] inquiries that hang at the account of the installation count as their operator’s, and refuse no callback', async () => {
  const { installation } = await hostile(
    `return { kind: 'created', providerRef: 'r' };`,
    `inquire: () => new Promise(() => undefined), verify: () => ({ kind: 'verified', messageId: 'm' }),`,
  );
  const of = (operatorId: string) => installation.forOperator?.(operatorId) ?? installation;
  const refused: unknown[] = [];
  for (const operatorId of ['slow', 'slower']) {
    for (let n = 0; n < 110; n += 1)
      of(operatorId)
        .inquire({ depositId: 'd' })
        .catch((error) => refused.push(error.message));
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(refused).toEqual(Array(70).fill('busy'));
  expect(await of('quick').create(testDeposit({ operatorId: 'quick' }))).toMatchObject({ kind: 'created' });
  // Two hundred calls for nobody in particular fill all other places.
  for (let n = 0; n < 200; n += 1) installation.inquire({ depositId: 'd' }).catch(() => undefined);
  const callback = { headers: {}, rawBody: Buffer.from('{}'), receivedAt: 0 };
  expect(await installation.verify(callback)).toEqual({ kind: 'verified', messageId: 'm' });
});

test('[SRV-9] bytes that a process does not read are bounded for each operator, and callbacks have a bound of their own', async () => {
  const { account } = await hostile(
    `if (secrets.key === 'key-of-evil') for (;;); return { kind: 'created', providerRef: 'r' };`,
  );
  const large = (operatorId: string) =>
    account(operatorId).create(testDeposit({ fields: { note: 'x'.repeat(400_000) } }));
  void large('evil');
  const tries = Array.from({ length: 30 }, () => large('evil'));
  const answers = await Promise.all(tries.map((one) => nowOr(one, 'sent')));
  const sent = answers.filter((one) => one === 'sent').length;
  expect(sent).toBeGreaterThan(8);
  expect(sent).toBeLessThan(13);
  expect(answers.at(-1)).toEqual({ kind: 'failed', code: 'provider-busy' });
  expect(await nowOr(large('good'), 'sent')).toBe('sent');
  const callback = { headers: {}, rawBody: Buffer.alloc(256_000), receivedAt: 0 };
  expect(await nowOr(account('good').verify(callback), 'sent')).toBe('sent');
});

test('[SRV-9] answers to no call, and second answers, are counted, logged once a minute, and end the process in a flood', async () => {
  const { pool, account, log } = await hostile(`
    const { writeSync } = await load('node:fs');
    const write = (line) => { for (;;) try { return writeSync(3, line); } catch (error) { if (error.code !== 'EAGAIN') throw error; } };
    const answer = (id) => write(JSON.stringify({ kind: 'result', id, value: { kind: 'declined', code: 'stray' } }) + '\\n');
    if (deposit.currency === 'EUR') { answer(1); answer(1); answer(999); answer('none'); return { kind: 'created', providerRef: 'r' }; }
    for (let n = 0; n < 1_100; n += 1) answer(100_000 + n);
    return new Promise(() => undefined);`);
  // The first call has the id 1. Its forged answer counts, and its true answer is the second repetition.
  expect(await account('evil').create(testDeposit())).toEqual({ kind: 'declined', code: 'stray' });
  await vi.waitFor(() => expect(pool.strayAnswers()).toEqual({ repeated: 2, unknown: 2 }));
  expect(await account('evil').create(testDeposit({ currency: 'USD' }))).toEqual({
    kind: 'unknown',
    code: 'provider-ended',
  });
  const lines = log.filter((line) => line.includes('waits for no answer'));
  expect(lines).toHaveLength(1);
  expect(pool.strayAnswers().unknown).toBeLessThanOrEqual(1_102);
  expect(log.join('\n')).toContain('it answers calls that nobody made');
});
