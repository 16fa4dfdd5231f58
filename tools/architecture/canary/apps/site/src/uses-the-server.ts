// breaks: site-is-a-page, doors-only
export { app } from '../../server/src/app.ts';
