/** The bridge's conversation as a list, newest at the end. */
import type { LoggedMessage } from '@opencashier/embed';
import { make } from './elements.ts';

const kept = 200;

export interface LogLine extends LoggedMessage {
  readonly at: Date;
}

export interface MessageLog {
  readonly element: HTMLElement;
  add(message: LoggedMessage): void;
  setDropped(count: number): void;
  /** A list that was out of the page has forgotten where it was scrolled to. */
  showNewest(): void;
}

export function createMessageLog(): MessageLog {
  const list = make('ol', { class: 'log', 'aria-label': 'Bridge messages', tabindex: '0' });
  const showNewest = () => {
    list.scrollTop = list.scrollHeight;
  };
  const dropped = make('span', {}, '0');
  const clear = make('button', { type: 'button', class: 'quiet' }, 'Clear log');
  clear.onclick = () => list.replaceChildren();
  const heading = make('div', { class: 'row' }, make('h3', {}, 'Messages'), clear);
  const note = make('p', { class: 'small' }, 'Dropped, since they came from elsewhere or made no sense: ', dropped);
  return {
    element: make('section', { class: 'messages' }, heading, list, note),
    add(message) {
      list.append(line({ ...message, at: new Date() }));
      while (list.childElementCount > kept) list.firstElementChild?.remove();
      showNewest();
    },
    showNewest,
    setDropped(count) {
      dropped.textContent = String(count);
    },
  };
}

function line({ direction, messageType, payload, at }: LogLine): HTMLElement {
  const isOut = direction === 'to-cashier';
  const time = at.toISOString().slice(11, 23);
  return make(
    'li',
    { class: isOut ? 'out' : 'in' },
    make('time', { datetime: at.toISOString() }, time),
    make('span', { class: 'way' }, isOut ? '→ to cashier' : '← from cashier'),
    make('code', { class: 'type' }, messageType),
    make('pre', {}, JSON.stringify(payload ?? {}, null, 1).replace(/\n\s*/g, ' ')),
  );
}
