// breaks: server-messages
export { handlers } from '../calls/registry.ts';
