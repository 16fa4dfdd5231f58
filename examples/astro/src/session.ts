/** Who is signed in. Read it from your session, never from what the page sends. */
export const user = { id: 'u-1042', currency: 'EUR', country: 'DE' };
