/** The codes that the operator has got for the signed-in user; a real one would send them by SMS or mail. */
import { channelWord } from './activity.ts';
import type { ReceivedCode } from './backend.ts';
import { make } from './elements.ts';

export interface CodeList {
  readonly element: HTMLElement;
  show(codes: readonly ReceivedCode[]): void;
}

export function createCodeList(): CodeList {
  const list = make('ul', { class: 'codes', 'aria-label': 'Codes' });
  const element = make(
    'section',
    {},
    make('h3', {}, 'Codes'),
    make('p', { class: 'small' }, 'Codes that a real operator would send to the user to confirm a withdrawal.'),
    list,
  );
  const show = (codes: readonly ReceivedCode[]): void => {
    const lines = codes.map(({ code, channel, expires }) => {
      const until = new Date(expires).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' });
      return make('li', {}, make('code', {}, code), ` by ${channelWord(channel)}, until ${until}`);
    });
    list.replaceChildren(...(lines.length > 0 ? lines : [make('li', { class: 'empty' }, 'None.')]));
  };
  show([]);
  return { element, show };
}
