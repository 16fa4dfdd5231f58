export const fixture = 'a script of the widget';
