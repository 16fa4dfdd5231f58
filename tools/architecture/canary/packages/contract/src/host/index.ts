export interface Message { type: string }
export const version = 1;
