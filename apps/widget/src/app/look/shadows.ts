/** Shadows that a host chooses by name (UI-9). Free CSS is not accepted, because it could draw more than a shadow. */
export const shadows: Readonly<Record<string, string>> = {
  none: 'none',
  soft: '0 1px 2px rgb(0 0 0 / 6%), 0 6px 20px rgb(0 0 0 / 8%)',
  strong: '0 2px 6px rgb(0 0 0 / 14%), 0 16px 40px rgb(0 0 0 / 22%)',
};
