// breaks: demo-is-an-operator, doors-only
export { app } from '../../server/src/app.ts';
