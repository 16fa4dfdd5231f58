/** The flows that a method of the sandbox can have. */

/** Every flow, with the seconds after which an unpaid payment expires. */
export const flowLifetimes = {
  redirect: 600,
  'unified-form': 600,
  eazype: 600,
  pix: 1_800,
  'upi-qr': 600,
  india: 600,
  p2p: 900,
  'host-to-host': 900,
  'virtual-account': 1_800,
  'bank-transfer': 86_400,
  cash: 86_400,
  onramp: 1_800,
  crypto: 3_600,
  lightning: 900,
} as const;
export type FlowName = keyof typeof flowLifetimes;

/** The flow of a method. `redirect` where the catalogue names none. Undefined for an unknown name. */
export function flowOf({ flow = 'redirect' }: Readonly<Record<string, string>>): FlowName | undefined {
  return Object.keys(flowLifetimes).find((name): name is FlowName => name === flow);
}
