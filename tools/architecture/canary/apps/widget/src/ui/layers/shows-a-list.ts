// breaks: widget-folders-one-way
export { list } from '../lists/list.ts';
