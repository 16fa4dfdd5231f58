import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { afterEach, expect, test } from 'vitest';
import { resolveNames } from './resolve-names.ts';
import { PrivateAddressError, publicLookup } from './webhook-address.ts';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

const typeA = 1;
/** The address of each name. The server answers that any other name does not exist. */
const names: Readonly<Record<string, readonly number[]>> = {
  'receiver.example': [93, 184, 216, 34],
  'inside.example': [10, 0, 0, 1],
};
/** The server never answers this name. */
const slowName = 'hangs.example';

/** A minimal DNS server. */
async function nameServer(keptBack: (() => void)[] = []): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    const type = question.readUInt16BE(at + 1);
    const address = names[name];
    const found = address !== undefined && type === typeA ? address : [];
    const head = Buffer.from(question.subarray(0, 12));
    // The header: a response, with "no such name" if there is no answer; then the counts of questions and answers.
    head.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(found.length > 0 ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const answer =
      found.length > 0 ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...found]) : Buffer.alloc(0);
    const reply = (): void => {
      socket.send(Buffer.concat([head, question.subarray(12, at + 5), answer]), from.port, from.address);
    };
    if (name === slowName) keptBack.push(reply);
    else reply();
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${socket.address().port}`;
}

const ask = (server: string, name: string): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    resolveNames([server])(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

test('[SRV-5] a name is resolved to its addresses, and an unknown name is an error', async () => {
  const server = await nameServer();
  expect(await ask(server, 'receiver.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  await expect(ask(server, 'nobody.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('[SRV-5] a name that resolves to a private address is refused', async () => {
  const server = await nameServer();
  const error = await new Promise((resolve) => {
    publicLookup(resolveNames([server]))('inside.example', { all: true }, resolve);
  });
  expect(error).toBeInstanceOf(PrivateAddressError);
});

test('[SRV-5] names whose server hangs do not delay other names', async () => {
  const keptBack: (() => void)[] = [];
  const server = await nameServer(keptBack);
  const hanging = Promise.allSettled(Array.from({ length: 32 }, () => ask(server, slowName)));
  let isOver = false;
  void hanging.then(() => {
    isOver = true;
  });
  await expect.poll(() => keptBack.length).toBeGreaterThanOrEqual(32);
  expect(await ask(server, 'receiver.example')).toHaveLength(1);
  expect(isOver).toBe(false);
  await expect
    .poll(() => {
      for (const reply of keptBack.splice(0)) reply();
      return isOver;
    })
    .toBe(true);
});

test('[SRV-5] no server is asked for localhost', async () => {
  expect(await ask('127.0.0.1:1', 'localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
});
