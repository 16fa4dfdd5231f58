// breaks: server-domain
export { handlers } from '../calls/registry.ts';
