import { createTestClock } from '@opencashier/core/time/test-clock';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { openWire, type WebSocketLike } from './socket-wire.ts';

function open() {
  const clock = createTestClock();
  const sent: string[] = [];
  const socket: WebSocketLike = {
    onmessage: null,
    onclose: null,
    onerror: null,
    send: (text) => void sent.push(text),
    close: vi.fn(),
  };
  const events = { connected: vi.fn(), refused: vi.fn(), push: vi.fn(), dropped: vi.fn() };
  const wire = openWire({ socket, clock, auth: { token: 't' }, events });
  return { clock, sent, socket, events, wire, receive: (data: unknown) => socket.onmessage?.({ data }) };
}

const handshake = '0{"sid":"s","pingInterval":25000,"pingTimeout":20000}';

describe('the wire', () => {
  test('answers the heartbeat, and a server without one is gone', () => {
    const { clock, sent, receive, events, socket } = open();
    receive(handshake);
    receive('40{"sid":"x"}');
    clock.advance(44_000);
    receive('2');
    expect(sent).toEqual(['40{"token":"t"}', '3']);
    clock.advance(44_999);
    expect(events.dropped).not.toHaveBeenCalled();
    clock.advance(1);
    expect(events.dropped).toHaveBeenCalledExactlyOnceWith('ping timeout');
    expect(socket.close).toHaveBeenCalledOnce();
  });

  test('is told once that it is gone, however many ways it is said, and leaves no timer', () => {
    const { clock, receive, events, socket, wire } = open();
    receive(handshake);
    receive('41');
    socket.onclose?.({ code: 1006 });
    socket.onerror?.({});
    wire.close();
    receive('40{"sid":"late"}');
    expect(events.dropped).toHaveBeenCalledExactlyOnceWith('server disconnect');
    expect(events.connected).not.toHaveBeenCalled();
    expect(clock.pending()).toBe(0);
  });

  test('gives each answer to its own question, whatever the order', () => {
    const { receive, wire } = open();
    receive(handshake);
    receive('40{}');
    const [first, second] = [vi.fn(), vi.fn()];
    wire.emit('a', {}, first);
    wire.emit('b', {}, second);
    receive('431[{"status":201}]');
    receive('430[{"status":200}]');
    receive('430[{"status":500}]');
    expect(first).toHaveBeenCalledExactlyOnceWith({ status: 200 });
    expect(second).toHaveBeenCalledExactlyOnceWith({ status: 201 });
  });

  test('no frame of any content throws', () => {
    const frame = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('0', '40', '42', '43', '430', '44', '4', '45', '6'), fc.oneof(fc.string(), fc.json()))
        .map((parts) => parts.join('')),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 5 }), (frames) => {
        const { receive, wire } = open();
        wire.emit('a', {}, () => {});
        expect(() => frames.forEach(receive)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
