// breaks: flow-by-its-door
export { Screen } from '../flows/beta/screen.tsx';
