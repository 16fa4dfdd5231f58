import { useState } from 'react';
import { PageAlert } from '../../ui/page/page.tsx';
import { useOfflinePress } from './offline-press.tsx';
import { useTexts } from './services.tsx';

/** Why the last press failed. */
export interface PressFault {
  /** The message beside the button; undefined: there is none. */
  readonly words: string | undefined;
  /**
   * Call it at a press, before anything starts. It clears the message. True: the device is offline, and the press must end here.
   */
  refuses(): boolean;
  say(words: string): void;
}

/**
 * Keeps the message about a failed press beside its button until the next press (ERR-4).
 * @param typed a text of all values of the form. When it changes, the message disappears
 * @param offlineWords the message for a press without a network, where the user could think that "nothing was sent" means the
 *   money
 */
export function usePressFault(typed = '', offlineWords?: string): PressFault {
  const { translate } = useTexts();
  const offline = useOfflinePress();
  const [said, setSaid] = useState<{ readonly words: string; readonly typed: string }>();
  const kept = said?.typed === typed ? said.words : undefined;
  return {
    words: offline.isRefused ? (offlineWords ?? translate('common.errors.socket.networkError')) : kept,
    refuses() {
      setSaid(undefined);
      return offline.refuses();
    },
    say: (words) => setSaid({ words, typed }),
  };
}

/** Shown beside the pressed button; a screen reader reads it once. */
export function FaultAlert({ press }: { readonly press: PressFault }) {
  return press.words === undefined ? null : <PageAlert>{press.words}</PageAlert>;
}
