import type { CaptchaErrorKind, CaptchaFrameMessage } from '@opencashier/contract/host';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import {
  type CaptchaOutcome,
  captchaRetries,
  captchaRetryDelayMs,
  captchaTimeoutMs,
  startConversation,
} from './captcha-conversation.ts';
import { captchaReasonKey, captchaResultOf } from './captcha-result.ts';

const success: CaptchaFrameMessage = {
  messageType: 'captcha:success',
  lotNumber: 'lot',
  captchaOutput: 'out',
  passToken: 'pass',
  genTime: '1767225600',
};
const error = (kind: CaptchaErrorKind): CaptchaFrameMessage => ({ messageType: 'captcha:error', kind });

function begin() {
  const clock = createTestClock();
  const startedAt = clock.now();
  const starts: number[] = [];
  const views: boolean[] = [];
  const ends: CaptchaOutcome[] = [];
  const talk = startConversation({
    clock,
    random: () => 0.5,
    captchaId: 'id-1',
    language: 'pt-BR',
    post(message) {
      expect(message).toEqual({ messageType: 'captcha:start', captchaId: 'id-1', language: 'pt-BR' });
      starts.push(clock.now() - startedAt);
    },
    onView: (isShown) => views.push(isShown),
    onEnd: (outcome) => ends.push(outcome),
  });
  return { clock, talk, starts, views, ends };
}

test('[ERR-5] starts the frame when it is ready, and again after a reload of the frame; a solved captcha gives its four values', () => {
  const { talk, starts, views, ends, clock } = begin();
  expect(starts).toEqual([]);
  talk.hear({ messageType: 'captcha:ready' });
  talk.hear({ messageType: 'captcha:ready' });
  expect(starts).toHaveLength(2);
  talk.hear({ messageType: 'captcha:shown' });
  expect(views).toEqual([true]);
  talk.hear(success);
  talk.hear({ messageType: 'captcha:closed' });
  expect(ends).toHaveLength(1);
  const [outcome] = ends;
  expect(outcome && captchaResultOf(outcome)).toEqual({
    lotNumber: 'lot',
    captchaOutput: 'out',
    passToken: 'pass',
    genTime: '1767225600',
  });
  expect(clock.pending()).toBe(0);
});

test('[ERR-5] a lost network is tried again four times, each time after a longer pause, then the limits are lowered', () => {
  const { clock, talk, starts, ends } = begin();
  talk.hear({ messageType: 'captcha:ready' });
  for (let failed = 0; failed < captchaRetries; failed += 1) {
    talk.hear(error('network'));
    expect(ends).toEqual([]);
    const before = starts.length;
    clock.advance(captchaRetryDelayMs(failed, 0.5) - 1);
    expect(starts).toHaveLength(before);
    clock.advance(1);
    expect(starts).toHaveLength(before + 1);
  }
  expect(starts).toEqual([0, 1500, 4000, 8500, 17_000]);
  talk.hear(error('network'));
  expect(ends).toEqual([{ kind: 'failed', reason: 'network' }]);
  expect(ends[0] && captchaResultOf(ends[0])).toEqual({ isBypassed: true });
});

test('[ERR-5] a script that cannot be loaded is tried again and can still succeed', () => {
  const { clock, talk, ends, views } = begin();
  talk.hear({ messageType: 'captcha:ready' });
  talk.hear(error('script'));
  expect(views).toEqual([false]);
  clock.advance(captchaRetryDelayMs(0, 0.5));
  talk.hear({ messageType: 'captcha:shown' });
  talk.hear(success);
  expect(ends).toMatchObject([{ kind: 'solved' }]);
});

test('[ERR-5] no captcha to solve for 30 s is a failure; a user who is solving it has unlimited time', () => {
  const silent = begin();
  silent.clock.advance(captchaTimeoutMs - 1);
  expect(silent.ends).toEqual([]);
  silent.clock.advance(1);
  expect(silent.ends).toEqual([{ kind: 'failed', reason: 'timeout' }]);

  const slow = begin();
  slow.talk.hear({ messageType: 'captcha:ready' });
  slow.talk.hear({ messageType: 'captcha:shown' });
  slow.clock.advance(10 * captchaTimeoutMs);
  expect(slow.ends).toEqual([]);
});

test.each([
  ['environment', 'captcha.failed.environment'],
  ['unknown', 'captcha.failed.unknown'],
  ['empty', 'captcha.failed.unknown'],
] as const)('[ERR-5] %s ends at once, lowers the limits and has its text', (kind, key) => {
  const { talk, ends } = begin();
  talk.hear({ messageType: 'captcha:ready' });
  talk.hear(error(kind));
  expect(ends).toEqual([{ kind: 'failed', reason: kind }]);
  expect(ends[0] && captchaResultOf(ends[0])).toEqual({ isBypassed: true });
  expect(captchaReasonKey[kind]).toBe(key);
});

test('[ERR-5] closed by the user or expired: no call is made, so nothing unintended is paid', () => {
  const closed = begin();
  closed.talk.close();
  expect(() => closed.ends[0] && captchaResultOf(closed.ends[0])).toThrow('The captcha was closed');
  const expired = begin();
  expired.talk.hear({ messageType: 'captcha:ready' });
  expired.talk.hear(error('expired'));
  expect(() => expired.ends[0] && captchaResultOf(expired.ends[0])).toThrow('The captcha has expired');
});

test('[ERR-5] [ERR-2] a result with an empty value is `Captcha data empty`', () => {
  const { talk, ends } = begin();
  talk.hear({ messageType: 'captcha:ready' });
  talk.hear({ ...success, passToken: ' ' });
  expect(() => ends[0] && captchaResultOf(ends[0])).toThrow('Captcha data empty');
});

test('after the end no event counts and no timer is left', () => {
  const { clock, talk, starts, ends } = begin();
  talk.hear({ messageType: 'captcha:ready' });
  talk.hear(error('network'));
  talk.stop();
  clock.advance(60_000);
  talk.hear(success);
  expect(starts).toHaveLength(1);
  expect(ends).toEqual([]);
  expect(clock.pending()).toBe(0);
});
