import type { DepositVariant } from './deposit-ports.ts';

/**
 * The variant of a flow whose deposit is paid on the flow's own page. The page gets the deposit's id. No window is opened ahead
 * of the call.
 */
export function ownPage(path: string): DepositVariant {
  return {
    staysHere: true,
    pathOf: (step) =>
      step.kind === 'own-route' ? `${path}?${new URLSearchParams({ depositId: step.depositId })}` : undefined,
  };
}
