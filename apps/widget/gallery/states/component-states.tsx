/** Shared by the states of components: sample texts and focus. */
import type { ReactNode } from 'react';
import type { Texts } from '../../src/kit/session/services.tsx';
import { type ComponentState, type StatePage, statesOf } from '../state.ts';

export const nothing = () => undefined;
export const focus = (selector: string) => async () => document.querySelector<HTMLElement>(selector)?.focus();
export const searchFor = (text: string) => (page: StatePage) => page.type('input[type=search]', text);

export const component = (name: string, states: Readonly<Record<string, Omit<ComponentState, 'id'>>>) =>
  statesOf<ComponentState>(`ui/${name}`, states);

/** Draws a component with each set of properties, below each other. */
export const each = <Props,>(draw: (props: Props) => ReactNode, ...all: Props[]) =>
  all.map((props) => <div key={JSON.stringify(props)}>{draw(props)}</div>);

export const networks = ['TRC-20', 'ERC-20', 'BEP-20'].map((text) => ({ value: text, text }));
export const countries = ['Brazil', 'Côte d’Ivoire', 'Deutschland', 'الجزائر', 'ประเทศไทย'].map((text, index) => ({
  value: String(index),
  text,
  detail: ['BRL', 'XOF', 'EUR', 'DZD', 'THB'][index],
}));
export const long = (texts: Texts) => `${texts.translate('checking.text')} ${texts.translate('empty.hint')}`;
