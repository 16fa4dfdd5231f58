export interface Deposit { amount: string }
