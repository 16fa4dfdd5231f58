import { describe, expect, test } from 'vitest';
import { readTransfer, TRANSFER_TOPIC } from './transfer-event.ts';

const sender = '0'.repeat(64);
const receiver = 'AB'.repeat(20);
const padded = receiver.padStart(64, '0');
const transfer = { topics: [TRANSFER_TOPIC, sender, padded], data: (1_500_000).toString(16).padStart(64, '0') };
const prefixed = { topics: transfer.topics.map((topic) => `0x${topic}`), data: `0x${transfer.data}` };

describe('[SRV-4] a token transfer', () => {
  test.each([
    ['as TRON writes it', transfer],
    ['as Ethereum writes it', prefixed],
  ])('is read %s', (_how, log) => {
    expect(readTransfer(log)).toEqual({ receiver: receiver.toLowerCase(), raw: 1_500_000n });
  });

  test.each([
    ['another event', { ...transfer, topics: ['a'.repeat(64), sender, padded] }],
    ['the transfer of a non-fungible token', { topics: [...transfer.topics, '1'.padStart(64, '0')], data: '' }],
    ['no receiver', { ...transfer, topics: [TRANSFER_TOPIC, sender] }],
    [
      'a receiver that is longer than an address',
      { ...transfer, topics: [TRANSFER_TOPIC, sender, `1${padded.slice(1)}`] },
    ],
    ['an amount of zero', { ...transfer, data: '0'.repeat(64) }],
    ['two amounts', { ...transfer, data: `${transfer.data}${transfer.data}` }],
    ['no amount', { ...transfer, data: '0x' }],
  ])('is not read from %s', (_what, log) => {
    expect(readTransfer(log)).toBeUndefined();
  });
});
