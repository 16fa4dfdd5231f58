// breaks: messages-is-a-leaf, messages-libraries, messages-libraries-no-node, doors-only, declared-packages
import { readFileSync } from 'node:fs';
import { io } from 'socket.io-client';
import { x } from '../../core/src/money/money.ts';
export const y = [readFileSync, io, x];
