import type { DepositVariant } from './use-deposit.ts';

/** Of a flow whose deposit is paid on a page of its own, which takes the deposit's id: no window is opened ahead of the call. */
export function ownPage(path: string): DepositVariant {
  return {
    staysHere: true,
    pathOf: (step) =>
      step.kind === 'own-route' ? `${path}?${new URLSearchParams({ depositId: step.depositId })}` : undefined,
  };
}
