/** The deposit engine's captcha port (DEP-1, ERR-5). Loaded only when a captcha is asked for. */
import type { CaptchaResult } from '@opencashier/contract/api';
import { createRoot } from 'react-dom/client';
import { type Services, ServicesProvider } from '../session/services.tsx';
import type { CaptchaOutcome } from './captcha-conversation.ts';
import {
  captchaFailure,
  captchaIdEmpty,
  captchaReasonKey,
  captchaResultOf,
  geetestResultEmpty,
} from './captcha-result.ts';
import { CaptchaSheet } from './captcha-sheet.tsx';

/**
 * Shows the captcha and answers what the create call must send.
 *
 * @throws ClientError when the operator has no captcha id, or the user closed the captcha or let it expire; the signal's reason
 *   after an abort
 */
export async function runCaptcha(services: Services, signal: AbortSignal): Promise<CaptchaResult> {
  signal.throwIfAborted();
  const { payload } = services.session.getState();
  const captchaId = payload.schema.meta?.geetestCaptchaId?.trim() ?? '';
  if (captchaId === '') {
    report(services, captchaIdEmpty, 'no-id');
    throw captchaFailure('captcha-id-empty', captchaIdEmpty);
  }
  const partner = new URLSearchParams(location.search).get('partner') ?? payload.partnerKey ?? '';
  const outcome = await showCaptcha(services, captchaId, partner, signal);
  if (outcome.kind === 'failed') {
    const message = outcome.reason === 'empty' ? geetestResultEmpty : `Captcha failed: ${outcome.reason}`;
    report(services, message, outcome.reason);
  }
  const result = captchaResultOf(outcome);
  // The deposit continues with lower limits, so the user reads a notice and no error.
  if (outcome.kind === 'failed') {
    services.notify({ kind: 'info', text: services.texts.getState().translate(captchaReasonKey[outcome.reason]) });
  }
  return result;
}

function report({ metric, post }: Services, message: string, reason: string): void {
  metric('captcha.failed', reason);
  if (reason !== 'closed') post({ messageType: 'error', payload: { code: 'captcha-failed', message } });
}

/** Draws the captcha in its own React root, so that no flow has to draw it. */
function showCaptcha(
  services: Services,
  captchaId: string,
  partner: string,
  signal: AbortSignal,
): Promise<CaptchaOutcome> {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  return new Promise<CaptchaOutcome>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    root.render(
      <ServicesProvider value={services}>
        <CaptchaSheet captchaId={captchaId} partner={partner} onEnd={resolve} />
      </ServicesProvider>,
    );
  }).finally(() => {
    root.unmount();
    place.remove();
  });
}
