export const Screen = () => <p />;
