// breaks: flows-are-islands
export { client } from '../../api/client.ts';
