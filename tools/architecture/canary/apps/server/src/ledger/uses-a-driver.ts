// breaks: ledger-libraries, declared-packages
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
export type X = Pool;
export const y = createHash;
