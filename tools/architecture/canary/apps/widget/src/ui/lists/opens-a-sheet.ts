// breaks: widget-folders-one-way
export { sheet } from '../layers/sheet.ts';
