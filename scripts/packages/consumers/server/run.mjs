/** The package's parts work as Node loads them, without anything beside them. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createOperatorClient, handleBonusCall, handleWalletCall, verifyWebhook } from '@opencashier/server';

const program = fileURLToPath(new URL('cli/main.js', import.meta.resolve('@opencashier/server')));
assert.match(execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' }), /trigger <type>/);
assert.match(execFileSync(process.execPath, [program, 'check', '--help'], { encoding: 'utf8' }), /check <address>/);

const key = Buffer.alloc(32, 1);
const secrets = `whsec_${key.toString('base64')}`;
function signed(body, id) {
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac}` };
}

const body = JSON.stringify({
  type: 'deposit.processed',
  timestamp: '2026-01-01T00:00:00Z',
  data: { amount: '25.00' },
});
assert.equal(verifyWebhook(Buffer.from(body), signed(body, 'msg-1'), { secrets }).id, 'msg-1');
assert.throws(() => verifyWebhook(`${body} `, signed(body, 'msg-1'), { secrets }), { code: 'bad-signature' });

const client = createOperatorClient({
  cashierUrl: 'https://pay.example.com',
  operatorKey: 'sk_test',
  fetch: async () => new Response('{"token":"t","expiresAt":"2026-01-01T00:15:00Z"}'),
});
assert.equal((await client.createUserToken({ userId: 'u-1', currency: 'EUR' })).token, 't');

const call = JSON.stringify({ type: 'balance', id: 'c-1', userId: 'u-1', currency: 'EUR' });
const done = () => ({ balance: '25.00' });
const handlers = { balance: done, debit: done, credit: done, release: done };
const answer = await handleWalletCall({ body: call, headers: signed(call, 'c-1') }, { ...handlers, secrets });
assert.equal(answer.status, 200);
assert.equal(JSON.parse(answer.body).balance, '25.00');

const question = JSON.stringify({ type: 'bonuses', id: 'q-1', userId: 'u-1' });
const offered = await handleBonusCall(
  { body: question, headers: signed(question, 'q-1') },
  { bonuses: () => [], secrets },
);
assert.deepEqual(JSON.parse(offered.body), { bonuses: [], id: 'q-1', userId: 'u-1' });
