export const AmountForm = () => <p />;
