/** The process of a provider: what it can reach, and what happens when it crashes, hangs, or loses its cashier (SRV-4, SRV-9). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { testDeposit } from '@opencashier/provider-kit/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packageConnections } from './package-connections.ts';
import { packagedProvider } from './packaged-provider.ts';
import { CANARY_SECRETS, installedCanary, startedCanary } from './testing/canary.fixture.ts';
import type { CanaryParts } from './testing/provider-home.ts';

/** A started canary. @param body what its `create` does */
async function canary(body: string, hosts: readonly string[] = [], more: CanaryParts = {}) {
  const { home, from } = installedCanary(body, { hosts, ...more });
  home.write({ '.env': 'DATABASE_URL=postgres://secret' });
  const { clock, child } = await startedCanary(from);
  return { from, clock, child, provider: packagedProvider(from, child) };
}

async function seen(body: string, hosts?: readonly string[]): Promise<unknown> {
  const { provider } = await canary(`${body} return { kind: 'created', providerRef: 'r', data: { seen } };`, hosts);
  const answer = await provider.create(testDeposit());
  return answer.kind === 'created' ? (answer.data as { seen?: unknown } | null)?.seen : answer;
}

test('[SRV-9] the process sees its own secret, and neither the environment, files nor processes of the cashier', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://cashier:secret@db/cashier');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const denied = 'ERR_ACCESS_DENIED';
  expect(
    await seen(`
      const fs = await load('node:fs');
      const read = (path) => attempt(() => fs.readFileSync(path, 'utf8'));
      const home = new URL('../../', import.meta.url).pathname;
      const seen = {
        own: secrets.key,
        names: Object.keys(process.env),
        parent: await read('/proc/' + process.ppid + '/environ'),
        self: await read('/proc/self/environ'),
        dotenv: await read(home + '.env'),
        providers: await read(home + 'providers.json'),
        write: await attempt(() => fs.writeFileSync(home + 'node_modules/canary/index.js', '')),
        exec: await attempt(async () => (await load('node:child_process')).execSync('env')),
        thread: await attempt(async () => new (await load('node:worker_threads')).Worker('1', { eval: true })),
        kill: await attempt(() => process.kill(process.ppid, 'SIGKILL')),
        binding: await attempt(() => process.binding('tcp_wrap')),
      };`),
  ).toEqual({
    own: 'own-secret',
    names: [],
    parent: denied,
    self: denied,
    dotenv: denied,
    providers: denied,
    write: denied,
    exec: denied,
    thread: denied,
    kill: 'This provider may not send signals.',
    binding: denied,
  });
});

test('[SRV-9] the process connects to its declared hosts alone, by fetch and by sockets', async () => {
  let connections = 0;
  const [declared, other] = await Promise.all(
    [200, 500].map(async () => {
      const server = createServer((socket) => {
        connections += 1;
        socket.on('error', () => undefined).end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      return `127.0.0.1:${(server.address() as { port: number }).port}`;
    }),
  );
  const words = expect.stringContaining(`may not connect to ${other}`);
  const result = await seen(
    `
    const net = await load('node:net');
    const socket = (...target) => attempt(() => new Promise((resolve, reject) => net.connect(...target).on('error', reject).on('connect', () => resolve('connected'))));
    const [host, port] = '${other}'.split(':');
    const seen = {
      declared: await attempt(async () => (await fetch('http://${declared}/')).status),
      fetched: await attempt(async () => (await fetch('http://${other}/')).status),
      options: await socket({ host, port: Number(port) }),
      numbers: await socket(Number(port), host),
      local: await socket('/tmp/some.sock'),
      lookup: await socket({ host: 'db.internal', port: 5432, lookup: (_name, _options, done) => done(null, host, 4) }),
      datagram: await attempt(async () => (await load('node:dgram')).createSocket('udp4').send('x', 53, '127.0.0.1')),
      listen: await attempt(() => net.createServer().listen(0)),
      restore: await attempt(() => { 'use strict'; net.Socket.prototype.connect = () => undefined; }),
    };`,
    [declared ?? ''],
  );
  expect(result).toEqual({
    declared: '204',
    fetched: words,
    options: words,
    numbers: words,
    local: expect.stringContaining('may not connect to a local socket'),
    lookup: expect.stringContaining('may not connect to db.internal:5432'),
    datagram: 'This provider may not send datagrams.',
    listen: 'This provider may not listen.',
    restore: expect.stringContaining('read only'),
  });
  expect(connections).toBe(1);
});

test('[SRV-3] a crash makes calls in progress unknown, and the process starts again after growing pauses', async () => {
  const { child, provider, clock } = await canary('process.exit(7);');
  for (const [starts, pauseMs] of [
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
  ] as const) {
    expect([child.isUp(), child.starts()]).toEqual([true, starts]);
    expect(await provider.create(testDeposit())).toEqual({ kind: 'unknown', code: 'provider-ended' });
    await vi.waitFor(() => expect([child.isUp(), child.lastError()]).toEqual([false, 'exit code 7']));
    // Nothing was sent: the payer may pay again. Whoever asks gets no answer, and a callback is sent again.
    expect(await provider.create(testDeposit())).toEqual({ kind: 'failed', code: 'provider-down' });
    await expect(provider.inquire({ depositId: 'd' })).rejects.toThrow('down');
    await expect(provider.verify({ headers: {}, rawBody: Buffer.alloc(0), receivedAt: 0 })).rejects.toThrow('down');
    clock.advance(pauseMs - 1);
    expect(child.starts()).toBe(starts);
    clock.advance(1);
    await vi.waitFor(() => expect(child.isUp()).toBe(true), { timeout: 20_000 });
  }
});

test('[SRV-3] a process in an endless loop is ended, and its calls are unknown', async () => {
  const { child, provider, clock } = await canary('for (;;);');
  const answer = provider.create(testDeposit());
  for (let passed = 0; passed < 25_000; passed += 5_000) clock.advance(5_000);
  expect((await answer).kind).toBe('unknown');
  await vi.waitFor(() => expect([child.isUp(), child.lastError()]).toEqual([false, 'it hangs']));
});

test('[SRV-3] a create without an answer is unknown after 15 seconds, and its signal aborts', async () => {
  const { child, provider, clock } = await canary(`
    if (deposit.currency === 'USD') return { kind: 'declined', code: globalThis.aborted ?? 'not-aborted' };
    deposit.signal.addEventListener('abort', () => { globalThis.aborted = 'aborted'; });
    await new Promise(() => undefined);`);
  const answer = provider.create(testDeposit());
  clock.advance(15_000);
  expect(await answer).toEqual({ kind: 'unknown', code: 'timeout' });
  expect(await provider.create(testDeposit({ currency: 'USD' }))).toEqual({ kind: 'declined', code: 'aborted' });
  expect(child.isUp()).toBe(true);
});

test('[SRV-3] an answer without sense is unknown, and a flood of it ends the process', async () => {
  const { provider, child } = await canary(`
    if (deposit.currency === 'USD') return { kind: 'created', providerRef: 'x'.repeat(2_000_000) };
    return { kind: 'credited', amount: 1n };`);
  expect(await provider.create(testDeposit())).toEqual({ kind: 'unknown', code: 'malformed-answer' });
  expect(await provider.create(testDeposit({ currency: 'USD' }))).toEqual({ kind: 'unknown', code: 'provider-ended' });
  await vi.waitFor(() => expect(child.lastError()).toBe('it sent a message without sense'));
});

test.each([
  ['a reference with NUL', `providerRef: 'r\\0'`],
  ['half a character in data', `providerRef: 'r', data: { list: [{ name: '\\ud800' }] }`],
  ['NUL in a name of data', `providerRef: 'r', data: { 'a\\0': 1 }`],
  ['a source with NUL', `providerRef: 'r', source: 'https://pay.example/\\0'`],
  [
    'a field of a form with NUL',
    `providerRef: 'r', source: { action: 'https://pay.example/', method: 'POST', fields: { a: '\\0' } }`,
  ],
  ['a lifetime of ages', `providerRef: 'r', lifetimeSeconds: 1e15`],
])('[SRV-3] an answer that the database cannot store is unknown at once: %s', async (_what, members) => {
  const { provider } = await canary(`return { kind: 'created', ${members} };`);
  expect(await provider.create(testDeposit())).toEqual({ kind: 'unknown', code: 'malformed-answer' });
});

test('[SRV-3] [SRV-9] an operator whose calls hang is refused before anything is sent, and the others are not', async () => {
  const { provider, clock } = await canary(
    `if (deposit.operatorId === 'slow') await new Promise(() => undefined); return { kind: 'created', providerRef: 'r' };`,
  );
  const answers = Array.from({ length: 101 }, () => provider.create(testDeposit({ operatorId: 'slow' })));
  expect(await answers[100]).toEqual({ kind: 'failed', code: 'provider-busy' });
  expect(await provider.create(testDeposit({ operatorId: 'quick' }))).toMatchObject({ kind: 'created' });
  clock.advance(15_000);
  expect(new Set((await Promise.all(answers.slice(0, 100))).map(({ kind }) => kind))).toEqual(new Set(['unknown']));
  expect(await Promise.race([provider.create(testDeposit({ operatorId: 'slow' })), 'sent'])).toBe('sent');
});

test('a request is kept by the cashier before it is sent', async () => {
  const { provider } = await canary(
    `return { kind: 'created', providerRef: await deposit.keepRequest('second') + ' ' + deposit.amountMinor };`,
  );
  const kept: string[] = [];
  const keepRequest = async (request: string) => {
    kept.push(request);
    return 'first';
  };
  const answer = await provider.create(testDeposit({ keepRequest }));
  expect(answer).toEqual({ kind: 'created', providerRef: 'first 2500' });
  expect(kept).toEqual(['second']);
});

test('[SRV-3] [SRV-9] a process that asks for more than it waits for is ended, and its calls are unknown', async () => {
  const { provider, child } = await canary(
    `for (let n = 0; n < 1_000; n += 1) void deposit.keepRequest('again').catch(() => undefined); await new Promise(() => undefined);`,
  );
  const kept: string[] = [];
  const keepRequest = (request: string) => {
    kept.push(request);
    return new Promise<string>(() => undefined);
  };
  const answer = await provider.create(testDeposit({ keepRequest }));
  expect([answer, kept.length]).toEqual([{ kind: 'unknown', code: 'provider-ended' }, 500]);
  expect(child.lastError()).toBe('it asks for more than it waits for');
});

test('[SRV-4] a watch reports to the cashier, under its own name, and a report that is not stored comes back as an error', async () => {
  const code = `watch: { idleMs: 1000, async round(report) {
    const told = { provider: 'stripe', providerRef: 'r', outcome: 'paid', paidMinor: 5n, currency: 'EUR', eventId: 'e', at: '2026-01-01T00:00:00.000Z' };
    await report(told).catch((error) => report({ ...told, eventId: error.message }));
  } },`;
  const more = { manifest: { does: ['watch'], watchIdleMs: 1_000 }, code };
  const { provider } = await canary('return { kind: "unknown", code: "x" };', [], more);
  const told: unknown[] = [];
  await provider.watch?.round(async (report) => {
    told.push([report.provider, report.eventId, report.paidMinor]);
    if (told.length === 1) throw new Error('away');
  });
  expect(provider.watch?.idleMs).toBe(1_000);
  expect(told).toEqual([
    ['canary', 'e', 5n],
    ['canary', 'away', 5n],
  ]);
});

test('[WD-2] [SRV-3] a payout that was not sent, and one that was lost, are unknown: it is never paid back by mistake', async () => {
  const code = `withdrawals: {
    withdraw: async ({ withdrawalId, receivesMinor }) => receivesMinor === 1n ? process.exit(1) : ({ kind: 'accepted', providerRef: withdrawalId }),
    inquire: async () => undefined,
    read: (raw) => ({ provider: 'x', providerRef: 'r', outcome: 'paid', paidMinor: BigInt(raw.length), currency: 'EUR', eventId: 'e', at: '2026-01-01T00:00:00.000Z' }),
  },`;
  const more = { manifest: { does: ['withdrawals'] }, code };
  const { provider, child } = await canary('return { kind: "unknown", code: "x" };', [], more);
  const { withdrawals } = provider;
  const { signal } = new AbortController();
  const shared = {
    paymentMethod: 'm',
    currency: 'EUR',
    country: 'DE',
    fields: {},
    providerOptions: {},
    language: 'en',
  };
  const wanted = { withdrawalId: 'w', amountMinor: 10n, receivesMinor: 10n, signal, ...shared };
  expect(await withdrawals?.withdraw(wanted)).toEqual({ kind: 'accepted', providerRef: 'w' });
  expect(await withdrawals?.read(Buffer.from('1234'))).toMatchObject({ provider: 'canary', paidMinor: 4n });
  expect(await withdrawals?.withdraw({ ...wanted, receivesMinor: 1n })).toEqual({
    kind: 'unknown',
    code: 'provider-ended',
  });
  await vi.waitFor(() => expect(child.isUp()).toBe(false));
  // A thrown error counts as unknown. `failed` would return the held amount.
  await expect(withdrawals?.withdraw(wanted)).rejects.toThrow('down');
});

test('[WD-2] a package that pays to cards gets the refunds, and its card and its refusals reach the cashier', async () => {
  const code = `withdrawals: {
    withdraw: async ({ refunds }) => ({ kind: 'unknown', code: 'partly-refused', refusedRefunds: refunds.map(({ refundId }) => refundId) }),
    inquire: async ({ withdrawalId, refunds: [{ refundId, amountMinor }] }) => ({ provider: 'x', withdrawalId, outcome: 'returned',
      refundId, refusedRefunds: [refundId], paidMinor: amountMinor, currency: 'EUR', eventId: 'e', at: '2026-01-01T00:00:00.000Z' }),
    read: () => undefined,
  },
  read: (raw) => ({ providerRef: 'r', outcome: 'pending', eventId: 'e', at: '2026-01-01T00:00:00.000Z', card: JSON.parse(raw) }),`;
  const { provider } = await canary('return { kind: "unknown", code: "x" };', [], {
    manifest: { does: ['withdrawals'] },
    code,
  });
  const refundId = '11111111-1111-4111-8111-111111111111';
  const refunds = [{ refundId, paymentRef: 'p', amountMinor: 10n }];
  const { signal } = new AbortController();
  const shared = {
    paymentMethod: 'm',
    currency: 'EUR',
    country: 'DE',
    fields: {},
    providerOptions: {},
    language: 'en',
  };
  const wanted = { withdrawalId: 'w', amountMinor: 10n, receivesMinor: 10n, refunds, signal, ...shared };
  expect(await provider.withdrawals?.withdraw(wanted)).toMatchObject({ refusedRefunds: [refundId] });
  expect(await provider.withdrawals?.inquire({ withdrawalId: 'w', refunds })).toMatchObject({
    refundId,
    refusedRefunds: [refundId],
    paidMinor: 10n,
  });
  const told = (card: object) => provider.read(Buffer.from(JSON.stringify(card)));
  const visa = { id: 'card_1', brand: 'Visa', last4: '4242' };
  expect(await told(visa)).toMatchObject({ card: visa });
  // The credit never waits for a card.
  const report = await told({ ...visa, last4: '4242424242424242' });
  expect(report).toMatchObject({ outcome: 'pending' });
  expect(report?.card).toBeUndefined();
});

test('[SRV-9] two accounts are tested at once, and a third is asked to wait, as each test starts a process', async () => {
  const { from, clock } = await canary('return { kind: "unknown", code: "x" };', [], { manifest: { accounts: {} } });
  const kind = packageConnections(from, clock);
  const account = { operatorId: 'acme', connectionId: 'c', secrets: { key: 'its-own-secret' }, options: {} };
  const tests = await Promise.all([1, 2, 3].map(() => kind?.test(account)));
  expect(tests.map((one) => one?.result)).toEqual(['accepted', 'accepted', 'unreachable']);
  expect(tests[2]?.message).toMatch('Try again');
  expect(await kind?.test(account)).toMatchObject({ result: 'accepted' });
});

test('[SRV-9] a package whose process does not start is said to be the cause, and not the secrets of the account', async () => {
  const parts = { manifest: { accounts: {}, does: ['list'] } };
  const { home, from } = installedCanary('return { kind: "unknown", code: "x" };', parts);
  home.write({ 'node_modules/canary/index.js': `throw new Error('no settings for its-own-secret');` });
  const kind = packageConnections(from, createTestClock(Date.now()));
  const account = { operatorId: 'acme', connectionId: 'c', secrets: { key: 'its-own-secret' }, options: {} };
  const cause = /the process of canary did not start: no settings for /;
  const tested = await kind?.test(account);
  expect(tested).toEqual({ result: 'unreachable', message: expect.stringMatching(cause) });
  expect(tested?.message).not.toContain('its-own-secret');
  // A package that hangs at its start is named, too.
  home.write({ 'node_modules/canary/index.js': 'await new Promise(() => setInterval(() => undefined, 1_000));' });
  const clock = createTestClock(Date.now());
  const hanging = packageConnections(from, clock)?.test(account);
  clock.advance(9_000);
  expect(await hanging).toEqual({
    result: 'unreachable',
    message: expect.stringMatching('canary did not start in 9 seconds'),
  });
  home.write({ 'node_modules/canary/index.js': `throw new Error('no settings');` });
  const day = '2026-01-15';
  const page = await kind?.list?.(account, { from: day, to: day });
  expect(page).toEqual({ kind: 'unknown', why: expect.stringMatching('canary did not start: no settings') });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('[SRV-9] a stop ends the process, and so does the death of the cashier', async () => {
  const { home } = installedCanary('return { kind: "unknown", code: "x" };');
  const program = fileURLToPath(new URL('./testing/host-main.ts', import.meta.url));
  const host = spawn(process.execPath, ['--import', 'tsx', program, home.file], {
    env: { PATH: process.env['PATH'], ...CANARY_SECRETS },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let pid = 0;
  for await (const line of createInterface({ input: host.stdout })) {
    pid = (JSON.parse(line) as { pid: number }).pid;
    if (line.includes('is up')) break;
  }
  const child = pid;
  expect(child).not.toBe(host.pid);
  expect(isAlive(child)).toBe(true);
  host.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 20_000 });
});
