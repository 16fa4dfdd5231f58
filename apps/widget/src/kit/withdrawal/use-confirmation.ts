import { useEffect, useRef, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { usePlace } from '../session/product-context.tsx';
import { useServices, useStore, useTexts } from '../session/services.tsx';
import { latestPorts } from './use-withdrawal.ts';
import { createWithdrawalDriver } from './withdrawal-driver.ts';
import type { DriverPorts } from './withdrawal-effects.ts';
import { type EngineState, heldState } from './withdrawal-engine.ts';
import { completePath } from './withdrawal-paths.ts';
import { withdrawalErrorText } from './withdrawal-text.ts';

export interface Confirmation {
  /** The call in progress; undefined while the user may choose. */
  readonly busy: 'confirm' | 'cancel' | undefined;
  /** The outcome is not known. The screen says that it is being checked, and not to withdraw again. */
  readonly isBeingChecked: boolean;
  confirm(code: string | undefined): void;
  /** Gives the held amount back and returns to the form. */
  change(): void;
}

interface ConfirmationOptions {
  readonly withdrawalId: string;
  /** The server refused the code. Gets the error's code and the attempts left. */
  readonly onRefusedCode: (code: string, params: Readonly<Record<string, string>>) => void;
  /** The held amount is back on the balance. */
  readonly onReleased: () => void;
}

/** Confirms a held amount or gives it back (WD-2). Leaving the screen gives it back, too. */
export function useConfirmation({ withdrawalId, onRefusedCode, onReleased }: ConfirmationOptions): Confirmation {
  const services = useServices();
  const texts = useTexts();
  const { tree } = usePlace();
  const ports: DriverPorts = {
    services,
    showErrors: () => undefined,
    handleError(failure, step, cause) {
      const isOfCode = failure.code === 'code-wrong' || failure.code === 'code-expired';
      if (step === 'confirm' && isOfCode && cause instanceof ClientError) onRefusedCode(cause.code, cause.params);
      else services.notify({ kind: 'error', text: withdrawalErrorText(failure, texts) });
    },
    go(to) {
      if (to === 'form') onReleased();
      else services.navigation.go(completePath(tree, withdrawalId), { replace: true });
    },
    makeId: () => crypto.randomUUID(),
  };
  const latest = useRef(ports);
  useEffect(() => {
    latest.current = ports;
  });
  const [driver] = useState(() => createWithdrawalDriver(latestPorts(latest), heldState(withdrawalId)));
  const state: EngineState = useStore(driver);
  useEffect(() => () => driver.dispose(), [driver]);
  return {
    busy: busyOf(state),
    isBeingChecked: state.at === 'checking' && state.step.kind === 'confirm',
    confirm: driver.confirm,
    change: driver.cancel,
  };
}

function busyOf(state: EngineState): Confirmation['busy'] {
  if (state.at === 'held') return undefined;
  if (state.at === 'calling' || state.at === 'checking') return state.step.kind === 'cancel' ? 'cancel' : 'confirm';
  return state.at === 'released' ? 'cancel' : 'confirm';
}
