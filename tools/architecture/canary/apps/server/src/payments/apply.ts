export const apply = () => undefined;
