import type { PaymentMethod } from '@opencashier/contract/api';
import type { LinkPolicy } from '@opencashier/core/links/safe-link';

/** Which links of a provider a method may open (FORM-9): https, and the schemes that the method declares. */
export function linkPolicyOf({ flags }: Pick<PaymentMethod, 'flags'>): LinkPolicy {
  return {
    schemes: flags.linkSchemes,
    // For the sandbox provider on a developer's machine; a page served by https can never reach it.
    allowLoopbackHttp: globalThis.location?.protocol === 'http:',
  };
}
