// breaks: embed-is-tiny
import { type Message, version } from '@opencashier/contract/host';
export const x: Message = { type: String(version) };
