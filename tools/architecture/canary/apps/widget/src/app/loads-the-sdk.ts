// breaks: widget-is-an-island
export { createCashier } from '@opencashier/embed';
