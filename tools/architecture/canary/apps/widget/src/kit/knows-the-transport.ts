// breaks: kit-below-flows
export { socket } from '../api/socket-transport.ts';
export { client } from '../api/client.ts';
