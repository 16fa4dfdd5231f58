import { useEffect, useState } from 'react';
import { insist } from '../../api/insist.ts';
import { CopyButton } from '../copy/copy-button.tsx';
import type { QrSource } from '../payment/payment-requisites.ts';
import { useServices, useTexts } from '../session/services.tsx';
import type { QrPath } from './qr-path.ts';
import styles from './qr-payment.module.css';

interface QrPaymentProps {
  readonly source: QrSource;
  /**
   * The text to type or paste instead of scanning, with its name: the code's text, or an id in it. A user cannot scan a code with
   * the phone that shows it.
   */
  readonly twin?: { readonly name: string; readonly value: string; readonly copyLabel?: string } | undefined;
  /** `small` is for a code beside other content: 100 px (§2). The default is large enough for every camera. */
  readonly size?: 'large' | 'small';
  /** A text that says what scanning the code does. */
  readonly note?: string | undefined;
}

/**
 * A QR code to scan and, under it, its text to copy (DEP-5, DEP-6, CRY-5). It is dark on white in both themes, because cameras
 * need that.
 */
export function QrPayment({ source, twin, size = 'large', note }: QrPaymentProps) {
  const { translate } = useTexts();
  const { drawn, isImpossible } = useQrPath(source);
  const alt = translate('qr.alt');
  return (
    <div className={styles.block}>
      {!isImpossible && (
        <div className={styles.frame} data-size={size} data-qr="">
          {source.kind === 'image' ? (
            <img className={styles.code} src={source.src} alt={alt} />
          ) : (
            drawn && (
              <svg
                className={styles.code}
                viewBox={`0 0 ${drawn.size} ${drawn.size}`}
                role="img"
                aria-label={alt}
                shapeRendering="crispEdges"
              >
                <path d={drawn.path} fill="#000" />
              </svg>
            )
          )}
        </div>
      )}
      {twin && (
        <div className={styles.twin}>
          <p className={styles.name}>{twin.name}</p>
          <p className={styles.value}>
            <bdi dir="ltr">{twin.value}</bdi>
          </p>
          <CopyButton
            value={twin.value}
            name={twin.name}
            {...(twin.copyLabel === undefined ? {} : { label: twin.copyLabel })}
          />
        </div>
      )}
      {note && <p className={styles.note}>{note}</p>}
    </div>
  );
}

/**
 * Only pages that draw a code load the encoder. Without it, and for a text that is too long for a QR code, only the text is shown.
 */
function useQrPath(source: QrSource): { readonly drawn: QrPath | undefined; readonly isImpossible: boolean } {
  const { clock } = useServices();
  const text = source.kind === 'text' ? source.text : undefined;
  const [result, setResult] = useState<{ text: string; drawn: QrPath | undefined }>();
  useEffect(() => {
    if (text === undefined) return;
    let isGone = false;
    const draw = async () => {
      let drawn: QrPath | undefined;
      try {
        const encode = await insist(async () => (await import('./qr-path.ts')).qrPath, clock);
        drawn = encode(text);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        console.warn('The QR code could not be drawn.', error);
      }
      if (!isGone) setResult({ text, drawn });
    };
    void draw();
    return () => {
      isGone = true;
    };
  }, [text, clock]);
  const drawn = result && result.text === text ? result.drawn : undefined;
  return { drawn, isImpossible: result !== undefined && result.text === text && result.drawn === undefined };
}
