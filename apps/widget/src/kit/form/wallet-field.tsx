import { readWalletText } from '@opencashier/core/crypto/wallet-text';
import { Suspense, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { canScan } from '../scan/can-scan.ts';
import { useIsDrawing } from '../session/first-drawing.ts';
import { lazyPart } from '../session/lazily.ts';
import { useTexts } from '../session/services.tsx';
import type { FieldState } from './field-state.ts';
import { type EnterKey, type NamedControl, TextField } from './text-field.tsx';
import styles from './wallet-field.module.css';

// Few users open the camera.
const ScanSheet = lazyPart(async () => (await import('../scan/scan-sheet.tsx')).ScanSheet);

interface WalletFieldProps {
  readonly state: FieldState;
  readonly control: NamedControl;
  readonly enter: EnterKey;
  /** The field for the memo that the receiver needs with the coins, if the form has one. */
  readonly memo: FieldState | undefined;
}

/**
 * A wallet's address (FORM-4). From a pasted payment link the field takes the address, and the memo where there is a field for
 * it. It does not take the amount, and says so, unless it has to show a worse fault.
 */
export function WalletField({ state, control, enter, memo }: WalletFieldProps) {
  const { translate } = useTexts();
  const [note, setNote] = useState<string>();
  const [isScanning, setScanning] = useState(false);
  // Only a browser tells it, so the server draws the field without the button.
  const isScannable = !useIsDrawing() && canScan();
  const onEdit: FieldState['onEdit'] = (edit) => {
    const read = readWalletText(edit.text);
    const takesMemo = read.memo !== undefined && memo !== undefined;
    setNote(read.hasAmount ? 'field.wallet.amountIgnored' : takesMemo ? 'field.wallet.memoTaken' : undefined);
    if (read.memo !== undefined) {
      memo?.onEdit({ previous: memo.shown, text: read.memo, caret: read.memo.length, deletes: undefined });
    }
    return state.onEdit(edit);
  };
  return (
    <>
      <div className={styles.line}>
        <TextField control={control} enter={enter} state={{ ...state, onEdit }} wraps />
        {isScannable && (
          <Button look="secondary" disabled={control.disabled} onClick={() => setScanning(true)}>
            {translate('scan.action')}
          </Button>
        )}
      </div>
      {isScanning && (
        <Suspense fallback={null}>
          <ScanSheet
            onClose={() => setScanning(false)}
            onFound={(text) => {
              setScanning(false);
              onEdit({ previous: state.shown, text, caret: text.length, deletes: undefined });
            }}
          />
        </Suspense>
      )}
      <p className={styles.note} role="status">
        {note && state.shownError === undefined && translate(note)}
      </p>
    </>
  );
}
