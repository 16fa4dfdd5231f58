import type { PaymentMethod } from '@opencashier/contract/api';
import { addressParts } from '@opencashier/core/crypto/address-text';
import { safeLink } from '@opencashier/core/links/safe-link';
import { useState } from 'react';
import { CopyButton } from '../../kit/copy/copy-button.tsx';
import { askApp, doesNatively } from '../../kit/link/native-action.ts';
import { methodTitle } from '../../kit/method/method-text.ts';
import { QrPayment } from '../../kit/qr/qr-payment.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Card, Notice } from '../../ui/page/card.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import styles from './address-screen.module.css';
import type { AddressView, Network } from './model.ts';

interface AddressCardProps {
  readonly view: Extract<AddressView, { kind: 'address' }>;
  readonly method: PaymentMethod;
  readonly network: Network | undefined;
  readonly codeSize: CodeSize;
}

/** `small` is 100 px wide, beside a balance (§2). */
export type CodeSize = 'large' | 'small';

/** The code, the whole address with bold ends, and buttons to copy, share or open it (CRY-1, CRY-5). */
export function AddressCard({ view, method, network, codeSize }: AddressCardProps) {
  const { address, memo, uri } = view;
  const texts = useTexts();
  const { translate } = texts;
  const [isPlain, setIsPlain] = useState(false);
  const { head, middle, tail } = addressParts(address);
  const name = translate('crypto.address', { network: network?.title ?? '' }).trim();
  const wallet = safeLink(uri, { schemes: method.flags.linkSchemes });
  const text = uri === undefined || isPlain ? address : uri;
  return (
    <Card>
      <div className={styles.code}>
        <QrPayment source={{ kind: 'text', text }} size={codeSize} />
      </div>
      <p className={styles.address}>
        <VisuallyHidden>{name}</VisuallyHidden>
        <bdi dir="ltr">
          <b>{head}</b>
          {middle}
          <b>{tail}</b>
        </bdi>
      </p>
      <div className={styles.actions}>
        <CopyButton value={address} name={name} label={translate('crypto.copy')} />
        <ShareButton text={memo ? `${address}\n${memo}` : address} title={methodTitle(method, texts)} />
      </div>
      {memo && (
        <>
          <Notice tone="warn">
            {translate('crypto.memoNeeded')} <b>{memo}</b>
          </Notice>
          <CopyButton value={memo} name={memo} label={translate('crypto.copyMemo')} />
        </>
      )}
      {uri !== undefined && (
        <div className={styles.codeChoice}>
          <button type="button" className={styles.choice} onClick={() => setIsPlain(!isPlain)}>
            {translate(isPlain ? 'crypto.fullCode' : 'crypto.plainCode')}
          </button>
          {wallet && (
            <a className={styles.choice} href={wallet}>
              {translate('crypto.wallet')}
              <Icon name="external" size={16} />
            </a>
          )}
        </div>
      )}
    </Card>
  );
}

/** Only on native platforms (CRY-1). The app shares the text if it offers that (HOST-13), else the browser does. */
function ShareButton({ text, title }: { readonly text: string; readonly title: string }) {
  const session = useSession();
  const services = useServices();
  const { translate } = useTexts();
  // Absent in Android's web view and in old ones, although the type says otherwise.
  const hasSheet = typeof (navigator as Partial<Navigator>).share === 'function';
  if (!session.isNative || !(hasSheet || doesNatively(session, 'share'))) return null;
  const share = async () => {
    if (askApp(services, { messageType: 'share', payload: { title, text } })) return;
    try {
      await navigator.share({ title, text });
    } catch (error) {
      // A TypeError means that there is no share sheet, and that the app that offered one has gone.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
      // A user who closed the sheet has decided not to share.
      if (error.name !== 'AbortError') services.notify({ kind: 'error', text: translate('crypto.shareFailed') });
    }
  };
  return (
    <Button look="secondary" className={styles.share} onClick={() => void share()}>
      {translate('crypto.share')}
    </Button>
  );
}
