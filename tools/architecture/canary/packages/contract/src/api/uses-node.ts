// breaks: contract-libraries, contract-libraries-no-node, declared-packages
import { readFileSync } from 'node:fs';
import { io } from 'socket.io-client';
export const x = [readFileSync, io];
