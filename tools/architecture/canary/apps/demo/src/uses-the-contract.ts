// breaks: demo-is-an-operator
import type { Message } from '@opencashier/contract/host';
export type X = Message;
