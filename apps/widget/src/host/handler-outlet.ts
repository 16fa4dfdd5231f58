import type { WidgetMessage } from '@opencashier/contract/host';
import { pageProperty } from './page-property.ts';

/**
 * The way into something of the surrounding app that takes JSON text; `undefined` where it does not. Never throws.
 *
 * @param post called on `owner`; its `postMessage` when absent
 */
export function handlerOutlet(
  owner: unknown,
  post: unknown = pageProperty(owner, 'postMessage'),
): ((message: WidgetMessage) => void) | undefined {
  return typeof post === 'function' ? (message) => post.call(owner, JSON.stringify(message)) : undefined;
}
