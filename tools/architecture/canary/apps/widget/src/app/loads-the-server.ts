// breaks: widget-is-an-island, doors-only
export { app } from '../../../server/src/app.ts';
