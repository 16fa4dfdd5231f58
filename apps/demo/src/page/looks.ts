/** Looks that an operator might give the cashier; `docs/integrate.md` shows the same two. */
import type { CashierOptions } from '@opencashier/embed';

type Appearance = NonNullable<NonNullable<CashierOptions['payload']>['appearance']>;

export const looks: Readonly<Record<'own' | 'plum' | 'paper', Omit<Appearance, 'theme'>>> = {
  own: { variables: {} },
  plum: {
    variables: {
      font: "'Trebuchet MS', 'Segoe UI', system-ui, sans-serif",
      bg: '#f6f1fa',
      surface: '#ffffff',
      'surface-hover': '#fbf8fd',
      sunken: '#efe6f6',
      line: '#e3d6ee',
      accent: '#7b2d8e',
      'accent-hover': '#65237a',
      'accent-soft': '#f3e3f8',
      'accent-text': '#6d2580',
      banner: '#b4245f',
      'radius-m': '22px',
      'radius-l': '24px',
      density: 'roomy',
    },
    darkVariables: {
      bg: '#160d1f',
      surface: '#221430',
      'surface-hover': '#2a1a3a',
      sunken: '#1a1026',
      line: '#3b2850',
      accent: '#d68cf0',
      'accent-hover': '#e0a4f5',
      'on-accent': '#2a0b38',
      'accent-soft': '#3a1d4c',
      'accent-text': '#e2aef7',
    },
  },
  paper: {
    variables: {
      font: "Georgia, 'Noto Serif', serif",
      bg: '#f7f3ea',
      surface: '#fffdf8',
      'surface-hover': '#fcf8ef',
      sunken: '#efe8da',
      line: '#e2d8c4',
      text: '#2b2115',
      // Fainter than it may be: the cashier moves it, and says so in the messages.
      muted: '#a3937c',
      accent: '#1f3a5f',
      'accent-hover': '#172c49',
      'accent-soft': '#e3e9f1',
      'accent-text': '#1f3a5f',
      banner: '#7a4a1e',
      'radius-s': '2px',
      'radius-m': '4px',
      'radius-l': '4px',
      density: 'compact',
    },
    darkVariables: {
      bg: '#17140f',
      surface: '#211d16',
      'surface-hover': '#2a251c',
      sunken: '#1b1812',
      line: '#3a3428',
      text: '#f3ecdd',
      muted: '#b3a68e',
      accent: '#e3b565',
      'accent-hover': '#ecc47f',
      'on-accent': '#2a1d06',
      'accent-soft': '#3a2f1a',
      'accent-text': '#efcb8b',
    },
  },
};
