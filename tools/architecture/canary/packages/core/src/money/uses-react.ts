// breaks: core-libraries, core-libraries-no-node, declared-packages
import { createHash } from 'node:crypto';
import type { ReactNode } from 'react';
export const x = createHash;
export type Y = ReactNode;
