import { useEffect, useRef, useState } from 'react';
import { Sheet, SheetContent } from '../../ui/layers/sheet.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { type CodeDetector, createDetector } from './code-detector.ts';
import styles from './scan-sheet.module.css';

/** Milliseconds between two attempts to read a code in the camera's picture. */
const LOOK_EVERY_MS = 200;

/** The camera above the form. The first code that it finds becomes the field's text. No picture is kept or sent. */
export function ScanSheet({
  onFound,
  onClose,
}: {
  readonly onFound: (text: string) => void;
  readonly onClose: () => void;
}) {
  const { translate } = useTexts();
  const { clock } = useServices();
  const video = useRef<HTMLVideoElement>(null);
  const [refusal, setRefusal] = useState<string>();
  const found = useRef(onFound);
  useEffect(() => {
    found.current = onFound;
  });
  useEffect(() => {
    let isGone = false;
    let stopTimer = () => {};
    let stream: MediaStream | undefined;
    const look = async (detector: CodeDetector): Promise<void> => {
      const picture = video.current;
      const text = picture && picture.readyState >= 2 ? await detector.detect(picture) : undefined;
      if (isGone) return;
      if (text !== undefined && text !== '') return found.current(text);
      stopTimer = clock.setTimer(() => void look(detector).catch(refuse), LOOK_EVERY_MS);
    };
    const refuse = (error: unknown): void => {
      console.warn('The camera could not be used.', error);
      if (stream) endStream(stream);
      const isDenied = error instanceof DOMException && error.name === 'NotAllowedError';
      if (!isGone) setRefusal(isDenied ? 'scan.denied' : 'scan.refused');
    };
    const start = async (): Promise<void> => {
      // Fetched while the browser asks the user for the camera.
      const detector = createDetector();
      detector.catch(refuse);
      const opened = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      stream = opened;
      if (isGone || video.current === null) return endStream(opened);
      video.current.srcObject = opened;
      await video.current.play();
      await look(await detector);
    };
    start().catch(refuse);
    return () => {
      isGone = true;
      stopTimer();
      if (stream) endStream(stream);
    };
  }, [clock]);
  return (
    <Sheet title={translate('scan.title')} closeLabel={translate('header.close')} onClose={onClose}>
      <SheetContent>
        {refusal ? (
          <div role="alert">
            <Notice tone="warn">{translate(refusal)}</Notice>
          </div>
        ) : (
          <video ref={video} className={styles.video} muted playsInline />
        )}
      </SheetContent>
    </Sheet>
  );
}

/** Stops the camera, so that its light goes out. */
function endStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
