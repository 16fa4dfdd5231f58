/** What can be wrong with an answer of the sandbox. */
export type Malformation = 'missing-card' | 'no-timing' | 'null-data' | 'dead-link' | 'script-link' | 'html-in-texts';
