import { describe, expect, test } from 'vitest';
import { parseCaptchaFrameMessage } from './captcha-messages.ts';

const success = {
  messageType: 'captcha:success',
  lotNumber: 'lot',
  captchaOutput: 'output',
  passToken: 'pass',
  genTime: '1767225600',
};

describe('messages of the captcha frame', () => {
  test('are read field by field', () => {
    expect(parseCaptchaFrameMessage({ ...success, token: 'x' })).toEqual(success);
    expect(parseCaptchaFrameMessage({ messageType: 'captcha:error', kind: 'network', stack: 'x' })).toEqual({
      messageType: 'captcha:error',
      kind: 'network',
    });
    for (const messageType of ['captcha:ready', 'captcha:shown', 'captcha:closed']) {
      expect(parseCaptchaFrameMessage({ messageType, more: 1 })).toEqual({ messageType });
    }
  });

  test('[ERR-5] a success without all four values is not a result', () => {
    const empty = { messageType: 'captcha:error', kind: 'empty' };
    for (const field of ['lotNumber', 'captchaOutput', 'passToken', 'genTime']) {
      expect(parseCaptchaFrameMessage({ ...success, [field]: undefined })).toEqual(empty);
      expect(parseCaptchaFrameMessage({ ...success, [field]: '' })).toEqual(empty);
      expect(parseCaptchaFrameMessage({ ...success, [field]: {} })).toEqual(empty);
      expect(parseCaptchaFrameMessage({ ...success, [field]: 'x'.repeat(8193) })).toEqual(empty);
    }
  });

  test('an unknown error kind becomes unknown; any other value is not a message', () => {
    expect(parseCaptchaFrameMessage({ messageType: 'captcha:error', kind: 'toString' })).toEqual({
      messageType: 'captcha:error',
      kind: 'unknown',
    });
    for (const data of [undefined, null, 'captcha:ready', 7, [], {}, { messageType: 'Loaded' }]) {
      expect(parseCaptchaFrameMessage(data)).toBeUndefined();
    }
  });
});
