import { afterEach, describe, expect, test } from 'vitest';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { openSocket, type RunningServer, startServer } from '../transports/testing/running-server.ts';
import { callerAddress } from './caller-address.ts';

test('[SRV-9] without a proxy the connection alone says who calls', () => {
  expect(callerAddress('10.0.0.9', '203.0.113.7', 0)).toBe('10.0.0.9');
});

test('[SRV-9] behind proxies it is what the outermost of them saw, not what the caller wrote before it', () => {
  expect(callerAddress('10.0.0.9', '1.1.1.1, 203.0.113.7', 1)).toBe('203.0.113.7');
  expect(callerAddress('10.0.0.9', ['1.1.1.1', '203.0.113.7,10.0.0.8'], 2)).toBe('203.0.113.7');
  expect(callerAddress('10.0.0.9', undefined, 1)).toBe('10.0.0.9');
  expect(callerAddress('10.0.0.9', ' , ', 2)).toBe('10.0.0.9');
});

describe('behind one proxy', () => {
  let running: RunningServer;
  afterEach(() => running.stop());

  const start = async () => {
    running = await startServer({ limiter: createRateLimiter({ now: () => 0 }), trustedProxies: 1 });
  };

  test('[SRV-9] a caller without a token cannot get a new allowance by a forged address, over HTTP', async () => {
    await start();
    const report = (forwardedFor: string) =>
      fetch(`${running.url}/api/METRIC_EVENTS_HANDLER/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
        body: JSON.stringify({ events: [] }),
      });
    const statuses = [];
    for (let call = 0; call < 125; call += 1) statuses.push((await report(`192.0.2.${call}, 203.0.113.7`)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await report('203.0.113.8')).status).not.toBe(429);
  });

  test('[SRV-9] people behind one proxy do not share an allowance of sockets, and a forged address gives none', async () => {
    await start();
    const connects = async (forwardedFor: string): Promise<boolean> => {
      const socket = openSocket(running.url, {}, { 'x-forwarded-for': forwardedFor });
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('connect_error', () => resolve(false));
      });
      socket.disconnect();
      return isOpen;
    };
    for (let opened = 0; opened < 120; opened += 1) expect(await connects(`192.0.2.${opened}, 203.0.113.7`)).toBe(true);
    expect(await connects('192.0.2.200, 203.0.113.7')).toBe(false);
    expect(await connects('203.0.113.8')).toBe(true);
  });
});
