/** Leaves out methods whose wallet this device cannot have. Asks no server, and needs no script of a third party. */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';

type Wallet = NonNullable<PaymentMethod['flags']['deviceWallet']>;

/** What a browser shows of its wallets. */
interface WalletSigns {
  readonly ApplePaySession?: { canMakePayments(): boolean };
  readonly PaymentRequest?: unknown;
  readonly navigator?: object;
}

/**
 * Whether the device may have a wallet. The provider's page opens at the top level and asks the wallet itself, so a frame without the
 * right to pay does not matter here.
 */
export function canHaveWallet(wallet: Wallet, signs: WalletSigns = globalThis as WalletSigns): boolean {
  const { ApplePaySession: session } = signs;
  if (wallet === 'google') {
    // Chromium alone has these data, and a web view has no payment requests.
    return session === undefined && 'PaymentRequest' in signs && 'userAgentData' in (signs.navigator ?? {});
  }
  try {
    return session?.canMakePayments() === true;
  } catch {
    // A frame of another site may not ask. Only devices with Apple Pay have the class.
    return true;
  }
}

/** The list as this device can use it. */
export function onThisDevice(list: MethodList, can: (wallet: Wallet) => boolean = canHaveWallet): MethodList {
  const left = new Set(
    list.methods.flatMap(({ name, flags: { deviceWallet } }) =>
      deviceWallet === undefined || can(deviceWallet) ? [] : [name],
    ),
  );
  if (left.size === 0) return list;
  const groups = list.groups.map((group) => ({
    ...group,
    paymentMethods: group.paymentMethods.filter((name) => !left.has(name)),
  }));
  return {
    ...list,
    groups: groups.filter(({ paymentMethods }) => paymentMethods.length > 0),
    methods: list.methods.filter(({ name }) => !left.has(name)),
  };
}
