import { useState } from 'react';
import { PageAlert } from '../../ui/page/page.tsx';
import { useOfflinePress } from './offline-press.tsx';
import { useTexts } from './services.tsx';

/** What the last press could not do. */
export interface PressFault {
  /** The words that stand beside the button; undefined: none do. */
  readonly words: string | undefined;
  /** Ask at a press, before anything starts: clears what was said. True means that the device is offline and the press ends here. */
  refuses(): boolean;
  say(words: string): void;
}

/**
 * Keeps the words about a press that failed beside its button until the next press (ERR-4).
 * @param typed a text of what stands in the form: after a change of it the words no longer hold
 * @param offlineWords what a press without a network is told, where "nothing was sent" could be taken for the money
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

/** Stands beside the button that was pressed; a screen reader says it once. */
export function FaultAlert({ press }: { readonly press: PressFault }) {
  return press.words === undefined ? null : <PageAlert>{press.words}</PageAlert>;
}
