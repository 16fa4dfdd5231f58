// breaks: server-application
export { http } from '../http/http.ts';
