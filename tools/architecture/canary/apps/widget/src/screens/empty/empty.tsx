export const Empty = () => <p />;
