import { readWalletText } from '@opencashier/core/crypto/wallet-text';
import { useState } from 'react';
import { useTexts } from '../services.tsx';
import type { FieldState } from '../use-fields.ts';
import { type EnterKey, type NamedControl, TextField } from './text-field.tsx';
import styles from './wallet-field.module.css';

interface WalletFieldProps {
  readonly state: FieldState;
  readonly control: NamedControl;
  readonly enter: EnterKey;
  /** The field for what the receiver wants to see beside the coins, where the form has one. */
  readonly memo: FieldState | undefined;
}

/**
 * A wallet's address (FORM-4). Of a pasted payment link the address is taken, and its memo where there is a place for it; that
 * its amount is not, is said, unless something worse has to be.
 */
export function WalletField({ state, control, enter, memo }: WalletFieldProps) {
  const { translate } = useTexts();
  const [note, setNote] = useState<string>();
  return (
    <>
      <TextField
        control={control}
        enter={enter}
        state={{
          ...state,
          onEdit(edit) {
            const read = readWalletText(edit.text);
            const takesMemo = read.memo !== undefined && memo !== undefined;
            setNote(read.hasAmount ? 'field.wallet.amountIgnored' : takesMemo ? 'field.wallet.memoTaken' : undefined);
            if (read.memo !== undefined) {
              memo?.onEdit({ previous: memo.shown, text: read.memo, caret: read.memo.length, deletes: undefined });
            }
            return state.onEdit(edit);
          },
        }}
      />
      <p className={styles.note} role="status">
        {note && state.shownError === undefined && translate(note)}
      </p>
    </>
  );
}
