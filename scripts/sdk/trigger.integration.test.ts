/** `npx @opencashier/server trigger` against a whole sandbox: each type of webhook comes from a real payment (SRV-5). */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookEvents, webhookSchemaOf } from '@opencashier/contract/operator';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../apps/server/src/ledger/ledger-audit.ts';
import { appOperatorKey, type RunningApp, startApp } from '../../apps/server/src/transports/testing/running-app.ts';
import { trigger } from '../../packages/server/src/cli/trigger.ts';
import { type TriggerType, triggers } from '../../packages/server/src/cli/trigger-plans.ts';
import { createOperatorClient } from '../../packages/server/src/operator-client.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const types = Object.keys(triggers) as TriggerType[];

let running: RunningApp;
let receiver: Server;
const taken: { readonly type: string; readonly body: unknown }[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const body = new Webhook(secret).verify(text, request.headers as Record<string, string>);
      taken.push({ type: String((body as { type?: unknown }).type), body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  running = await startApp({ TOKEN_SECRET: 't'.repeat(40) });
  await running.database.query({
    text: `update operator set webhook_url = $1, webhook_secrets = array[$2] where id = 'demo'`,
    values: [`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`, secret],
  });
});
afterAll(async () => {
  expect((await auditLedger(running.database)).isSound).toBe(true);
  await running.stop();
  await new Promise((resolve) => receiver.close(resolve));
});

async function run(type: TriggerType, more: { mayAdvanceClock?: boolean } = {}) {
  const lines: string[] = [];
  const isTaken = await trigger(
    {
      ...{ cashierUrl: running.url, operatorKey: appOperatorKey, type, userId: type.replace('.', '-') },
      ...{ currency: 'EUR', country: 'DE', ...more },
    },
    {
      fetch,
      print: (line) => void lines.push(line),
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    },
  );
  return { isTaken, lines };
}

async function expectTaken(type: TriggerType, more: { mayAdvanceClock?: boolean } = {}): Promise<void> {
  const { isTaken, lines } = await run(type, more);
  expect([isTaken, lines.at(-1)]).toEqual([true, expect.stringMatching(`^Webhook ${type}, .* delivered`)]);
  const own = taken.find((one) => one.type === type)?.body;
  expect(v.safeParse(webhookSchemaOf(type), own).issues).toBeUndefined();
}

test('[SRV-5] trigger makes every type of webhook', () => {
  expect(types.toSorted()).toEqual(Object.keys(webhookEvents).toSorted());
});

test.concurrent.each(types.filter((type) => type !== 'withdrawal.awaiting_approval' && type !== 'withdrawal.expired'))(
  '[SRV-5] %s comes from a real payment and is taken',
  async (type) => {
    await expectTaken(type);
  },
);

test('[SRV-5] withdrawal.awaiting_approval names the rule that is missing, and comes with it', async () => {
  const count = taken.length;
  await expect(run('withdrawal.awaiting_approval')).rejects.toThrow(
    /approvals set <operator> --currency EUR --above 0/,
  );
  expect(taken).toHaveLength(count);
  const client = createOperatorClient({ cashierUrl: running.url, operatorKey: appOperatorKey });
  await client.putApprovalSettings({ thresholds: [{ currency: 'EUR', approvalThreshold: '0' }] });
  await expectTaken('withdrawal.awaiting_approval');
  await client.putApprovalSettings({ thresholds: [] });
});

test('[SRV-5] withdrawal.expired moves the clock, but only when it may', async () => {
  await expect(run('withdrawal.expired')).rejects.toThrow(/--advance-clock/);
  await expectTaken('withdrawal.expired', { mayAdvanceClock: true });
});
