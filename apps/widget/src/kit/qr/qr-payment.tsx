import { useEffect, useState } from 'react';
import { CopyButton } from '../copy/copy-button.tsx';
import type { QrSource } from '../payment/payment-requisites.ts';
import { useTexts } from '../session/services.tsx';
import type { QrPath } from './qr-path.ts';
import styles from './qr-payment.module.css';

interface QrPaymentProps {
  readonly source: QrSource;
  /**
   * What can be typed or pasted instead of scanning, with its name: the code itself, or an id within it. Whoever pays on the
   * very phone that shows the code cannot scan it.
   */
  readonly twin?: { readonly name: string; readonly value: string; readonly copyLabel?: string } | undefined;
  /** `small` is for a code beside other things: 100 px (§2); else it is as large as a camera likes. */
  readonly size?: 'large' | 'small';
  /** What scanning it does. */
  readonly note?: string | undefined;
}

/** A QR code to scan and, under it, the same to copy (DEP-5, DEP-6, CRY-5). Dark on white in both themes: cameras need it. */
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

/** The encoder is loaded by the pages that draw a code; a text that no QR code can carry has only its twin. */
function useQrPath(source: QrSource): { readonly drawn: QrPath | undefined; readonly isImpossible: boolean } {
  const text = source.kind === 'text' ? source.text : undefined;
  const [result, setResult] = useState<{ text: string; drawn: QrPath | undefined }>();
  useEffect(() => {
    if (text === undefined) return;
    let isGone = false;
    const draw = async () => {
      const { qrPath } = await import('./qr-path.ts');
      let drawn: QrPath | undefined;
      try {
        drawn = qrPath(text);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
      if (!isGone) setResult({ text, drawn });
    };
    void draw();
    return () => {
      isGone = true;
    };
  }, [text]);
  const drawn = result && result.text === text ? result.drawn : undefined;
  return { drawn, isImpossible: result !== undefined && result.text === text && result.drawn === undefined };
}
