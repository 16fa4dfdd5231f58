import { beginCell } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commentBody, encryptedBody, excessesBody, notificationBody, tokensBody } from '../testing/ton-bodies.ts';
import { readTonMessage } from './ton-message.ts';

describe('[SRV-4] a message on TON', () => {
  test('carries a comment in UTF-8, in several cells when it is long', () => {
    for (const comment of ['7K3QF0MZ2XWA', 'شكرا', 'x'.repeat(350)]) {
      expect(readTonMessage(commentBody(comment))).toEqual({ kind: 'comment', comment });
    }
  });

  test('without a body has an empty comment', () => {
    for (const body of [undefined, null, '', beginCell().endCell().toBoc().toString('base64')]) {
      expect(readTonMessage(body)).toEqual({ kind: 'comment', comment: '' });
    }
  });

  test('that is binary or encrypted has no comment that could be read as a memo', () => {
    expect(readTonMessage(commentBody(Buffer.from([0xff, 0xfe, 0x80])))).toEqual({ kind: 'comment', comment: '' });
    expect(readTonMessage(encryptedBody())).toEqual({ kind: 'other' });
  });

  test.each([false, true])(
    'that brings tokens names their amount and the comment (in the message itself: %s)',
    (isInline) => {
      const body = tokensBody({ raw: 12_345_678n, comment: 'MEMO', isInline });
      expect(readTonMessage(body)).toEqual({ kind: 'tokens', amount: 12_345_678n, comment: 'MEMO' });
    },
  );

  test('that brings tokens counts also without a comment and with an unreadable one', () => {
    expect(readTonMessage(tokensBody({ raw: 5n }))).toEqual({ kind: 'tokens', amount: 5n, comment: '' });
    const broken = beginCell().storeUint(0x178d4519, 32).storeUint(1, 64).storeCoins(5n).endCell();
    expect(readTonMessage(broken.toBoc().toString('base64'))).toEqual({ kind: 'tokens', amount: 5n, comment: '' });
  });

  test('that announces tokens brings none, and the rest of a fee is not a payment', () => {
    expect(readTonMessage(notificationBody({ raw: 5n, comment: 'MEMO' }))).toEqual({ kind: 'notification' });
    expect(readTonMessage(excessesBody())).toEqual({ kind: 'excesses' });
  });

  test('of any bytes is read without an error', () => {
    fc.assert(
      fc.property(fc.base64String(), (body) => {
        expect(readTonMessage(body).kind).not.toBe('tokens');
      }),
    );
  });
});
