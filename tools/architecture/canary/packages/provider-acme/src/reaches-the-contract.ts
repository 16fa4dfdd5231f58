// breaks: provider-packages-know-the-kit
import type { Deposit } from '@opencashier/contract/api';
export type X = Deposit;
