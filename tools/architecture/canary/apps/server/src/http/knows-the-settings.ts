// breaks: server-transports
export { config } from '../config/config.ts';
