import { createServer, type RequestListener, type Server } from 'node:http';
import { createTestClock } from '@opencashier/core/time/test-clock';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { NodeError } from './chain-source.ts';
import { ask, askText, createPacer, inTurns, type NodeAddress } from './node-http.ts';

const schema = v.object({ height: v.number() });
let answer: RequestListener;
let server: Server;
let node: NodeAddress;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  node = { url: `${await openOnLoopback(server)}/api`, headers: { 'x-key': 'secret' } };
});

afterEach(() => closeOnLoopback(server));

const says =
  (status: number, body: string, headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

describe('a request to a node', () => {
  test('carries the headers and a JSON body, and its answer is read by the schema', async () => {
    answer = async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers } = request;
      expect({ method, url, key: headers['x-key'], type: headers['content-type'] }).toEqual({
        method: 'POST',
        url: '/api/block',
        key: 'secret',
        type: 'application/json',
      });
      response.end(Buffer.concat(chunks));
    };
    expect(await ask(node, '/block', schema, { height: 7, more: true })).toEqual({ height: 7 });
  });

  test('for an object that the node does not have is answered with undefined', async () => {
    answer = says(404, 'no such block');
    expect(await ask(node, '/block', schema)).toBeUndefined();
  });

  test.each<[string, RequestListener]>([
    ['a server error', says(500, '{"height":7}')],
    ['a refusal', says(429, 'slow down')],
    ['a page for people', says(200, '<html>')],
    ['half an answer', says(200, '{"heig')],
    ['another shape', says(200, '{"height":"7"}')],
    ['nothing', says(200, '')],
    ['a redirect', says(302, '', { location: 'https://elsewhere.example' })],
    ['a broken connection', (request) => request.socket.destroy()],
    [
      'a connection that breaks half-way',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"height":7');
        setImmediate(() => request.socket.destroy());
      },
    ],
  ])('[SRV-4] that gets %s throws a NodeError', async (_what, listener) => {
    answer = listener;
    const error: unknown = await ask(node, '/block', schema).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NodeError);
    expect(String(error)).not.toContain('secret');
  });

  test('[SRV-4] without an answer ends after 15 seconds', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(20));
    answer = () => undefined;
    await expect(askText(node, '/block')).rejects.toThrow(NodeError);
    expect(asked).toHaveBeenCalledExactlyOnceWith(15_000);
  });

  test('[SRV-4] to a node that is not there throws a NodeError', async () => {
    await new Promise((resolve) => server.close(resolve));
    await expect(askText(node, '/block')).rejects.toThrow(NodeError);
    await openOnLoopback(server);
  });
});

test('[SRV-4] a node that answers 429 gets no request for a second', async () => {
  const clock = createTestClock();
  const paced = { ...node, pace: createPacer(5, clock) };
  answer = says(429, 'slow down');
  await expect(askText(paced, '/block')).rejects.toThrow(NodeError);
  answer = says(200, '{"height":7}');
  let found: unknown;
  const asked = ask(paced, '/block', schema).then((value) => {
    found = value;
  });
  await clock.advanceAsync(900);
  expect(found).toBeUndefined();
  await clock.advanceAsync(100);
  await asked;
  expect(found).toEqual({ height: 7 });
});

test('many requests are sent a few at a time, and their answers keep the order', async () => {
  let open = 0;
  let most = 0;
  const answers = await inTurns(
    [1, 2, 3, 4, 5, 6, 7],
    async (item) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return item * 2;
    },
    3,
  );
  expect(answers).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBe(3);
});
