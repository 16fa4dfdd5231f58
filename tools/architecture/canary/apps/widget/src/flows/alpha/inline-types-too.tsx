// breaks: flows-are-islands
export const X = <T,>(_: { t: T; beta: import('../beta/flow.ts').Beta }) => <p />;
