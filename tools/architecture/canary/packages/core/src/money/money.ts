export interface Money { minor: bigint }
export const zero = 0n;
