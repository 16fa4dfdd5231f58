/** The connection is cut at every step of every call that moves money, on both transports. */
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/machine/ports.mjs';
import { Cluster } from './cluster.ts';
import { type Cut, CuttingLine, cuts } from './cutting-line.ts';
import { balanceOf, expectSoundBooks, untilQuiet } from './invariants.ts';
import { type Answer, intentOfDeposit, intentOfWithdrawal, isFinal, Payer } from './payer.ts';

let cluster: Cluster;
let line: CuttingLine;
const sockets: Socket[] = [];

beforeAll(async () => {
  cluster = await Cluster.start({ nodes: 1 });
  line = await CuttingLine.start(await freePort(), cluster.nodes[0]?.port ?? 0);
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await line?.stop();
  await cluster?.stop();
});

type Send = (call: string, body: object) => Promise<Answer>;

const transports: Readonly<Record<string, (payer: Payer) => Promise<Send>>> = {
  http: async (payer) => (call, body) => payer.post(call, body, line.url),
  async socket(payer) {
    const socket = io(line.url, {
      path: '/v4/socket.io',
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 10,
      reconnectionDelayMax: 50,
      auth: { token: payer.token },
    });
    sockets.push(socket);
    const connected = () => new Promise<void>((resolve) => socket.once('connect', resolve));
    if (!socket.connected) await connected();
    return async (call, body) => {
      // The library would buffer a message on a cut connection and send it later. The widget waits for the connection, too.
      if (!socket.connected) await connected();
      const { status, data, error } = await socket.timeout(15_000).emitWithAck(`BANKING:${call}`, body);
      return { status, code: error?.code, body: data ?? {} };
    };
  },
};

/** Sends the call, cuts its connection, then repeats the call under the same key until it is answered. */
async function askThrough(send: Send, cut: Cut, call: string, body: object): Promise<Answer> {
  line.cutNext(cut);
  const first = await send(call, body).catch(() => undefined);
  expect(line.isCut, `${call} was cut`).toBe(true);
  if (cut !== 'after the answer') expect(first, `${call}: the first answer`).toBeUndefined();
  for (;;) {
    const answer = await send(call, body).catch(() => undefined);
    if (answer === undefined || !isFinal(answer)) continue;
    if (first !== undefined) expect(answer.status).toBe(first.status);
    return answer;
  }
}

for (const [name, connect] of Object.entries(transports)) {
  test.each(cuts)(`[SRV-6] [NET-5] the line by ${name} is cut %s: each intent is carried out once`, async (cut) => {
    const payer = await Payer.of(cluster);
    const send = await connect(payer);
    const ask = (call: string, body: object): Promise<Answer> => askThrough(send, cut, call, body);
    const [paid, cancelled, out, kept] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

    expect((await ask('deposit-create', intentOfDeposit(paid, '100.05'))).status).toBe(200);
    expect((await ask('deposit-create', intentOfDeposit(cancelled, '30.00'))).status).toBe(200);
    const cancel = { depositId: cancelled, paymentMethod: 'card' };
    expect((await ask('deposit-cancel', cancel)).body).toMatchObject({ isCancelled: true });
    await payer.untilProcessed(paid);

    expect((await ask('withdrawal-create', intentOfWithdrawal(out, '40.05'))).status).toBe(200);
    expect((await ask('withdrawal-confirm', { withdrawalId: out })).status).toBe(200);
    expect((await ask('withdrawal-create', intentOfWithdrawal(kept, '10.00'))).status).toBe(200);
    expect((await ask('withdrawal-cancel', { withdrawalId: kept })).body).toMatchObject({ status: 2 });
    await payer.untilWithdrawn(out, 1);

    expect(await balanceOf(cluster, payer.userId)).toBe(60_00n);
    const states = `select client_key::text as id, state from deposit where user_id = $1
      union all select client_key::text, state from withdrawal where user_id = $1`;
    const rows = await cluster.query<{ id: string; state: string }>(states, [payer.userId]);
    expect(new Map(rows.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [paid, 'credited'],
        [cancelled, 'cancelled'],
        [out, 'paid'],
        [kept, 'cancelled'],
      ]),
    );
  });
}

test('[SRV-2] after all these tests the ledger is sound', async () => {
  await untilQuiet(cluster);
  await expectSoundBooks(cluster);
}, 240_000);
