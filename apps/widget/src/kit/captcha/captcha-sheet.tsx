import { captchaFramePath, parseCaptchaFrameMessage } from '@opencashier/contract/host';
import { useLayoutEffect, useRef, useState } from 'react';
import { Sheet } from '../../ui/layers/sheet.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { type CaptchaConversation, type CaptchaOutcome, startConversation } from './captcha-conversation.ts';
import styles from './captcha-sheet.module.css';

interface CaptchaSheetProps {
  readonly captchaId: string;
  readonly partner: string;
  readonly onEnd: (outcome: CaptchaOutcome) => void;
}

/**
 * The captcha in a sheet of the widget. So its title, its close button and Escape work, whatever the vendor shows. The frame has
 * an opaque origin, so the vendor's scripts see neither this page nor its token.
 */
export function CaptchaSheet({ captchaId, partner, onEnd }: CaptchaSheetProps) {
  const { clock } = useServices();
  const { translate, locale } = useTexts();
  const frame = useRef<HTMLIFrameElement>(null);
  const conversation = useRef<CaptchaConversation>(undefined);
  const [isShown, setShown] = useState(false);
  // A layout effect, because a frame from a warm cache may post its first message before a later effect listens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one conversation per sheet, begun when the frame exists
  useLayoutEffect(() => {
    const talk = startConversation({
      clock,
      random: Math.random,
      captchaId,
      language: locale,
      // An opaque origin has no name to post to; nothing in this message is secret.
      post: (message) => frame.current?.contentWindow?.postMessage(message, '*'),
      onView: setShown,
      onEnd,
    });
    conversation.current = talk;
    const listen = (event: MessageEvent): void => {
      if (event.source === null || event.source !== frame.current?.contentWindow) return;
      const message = parseCaptchaFrameMessage(event.data);
      if (message) talk.hear(message);
    };
    window.addEventListener('message', listen);
    return () => {
      window.removeEventListener('message', listen);
      talk.stop();
    };
  }, []);
  return (
    <Sheet
      title={translate('captcha.title')}
      closeLabel={translate('captcha.close')}
      onClose={() => conversation.current?.close()}
      isQuestion
    >
      <div className={styles.place}>
        <iframe
          ref={frame}
          className={styles.frame}
          title={translate('captcha.frame')}
          src={`${captchaFramePath}?${new URLSearchParams({ partner })}`}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
        />
        {!isShown && (
          <div className={styles.waiting} role="status">
            <p className={styles.text}>{translate('captcha.loading')}</p>
            <Skeleton blockSize="220px" radius="var(--radius-m)" />
          </div>
        )}
      </div>
    </Sheet>
  );
}
