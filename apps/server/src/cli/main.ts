#!/usr/bin/env node
/** The program `opencashier`. */
import { systemClock } from '@opencashier/core/time/clock';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  output: {
    out: (line) => console.log(line),
    error: (line) => console.error(line),
    progress: (line) => console.error(line),
  },
  clock: systemClock,
  open: openWithoutMigration,
});
