/** Where a created deposit goes on inside the widget (DEP-3). */
import type { FinishedStep } from './deposit-driver.ts';

/**
 * Path of the screen of a step; leaving for a provider has none.
 * @param complete path of the complete screen for a deposit
 */
export function stepPath(
  step: Exclude<FinishedStep, { kind: 'redirect' }>,
  tree: string,
  method: string,
  complete: (depositId: string) => string,
): string {
  const depositId = step.depositId ?? '';
  const query = `?${new URLSearchParams({ depositId })}`;
  switch (step.kind) {
    case 'unified-form':
      return `${tree}/redirect/${method}/unified-form${query}`;
    case 'custom-page':
      return `${tree}/redirect/${method}/${step.page}${query}`;
    case 'offers':
      return `${tree}/onramp/${method}/offer-list${query}`;
    case 'host-to-host':
      if (step.data.bankTransfer === true) return `${tree}/redirect/${method}/bank-transfer${query}`;
      return `${tree}/host-to-host/${method}${query}`;
    case 'own-route': {
      // Coins are sent to an address; its page says for which network it is.
      const { depositAddress, network } = step.data ?? {};
      if (depositAddress === undefined) return complete(depositId);
      const place = new URLSearchParams({ ...(network === undefined ? {} : { network }), depositId });
      return `${tree}/crypto/${method}?${place}`;
    }
    // `fields` and `failure` stay on their screen and never come here; the status is right for whatever does.
    default:
      return complete(depositId);
  }
}
