// breaks: kit-below-flows, flow-by-its-door
const load = () => import('../flows/beta/screen.tsx');
export const X = () => <p onCopy={() => void load()} />;
