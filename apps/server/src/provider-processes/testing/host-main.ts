/** A program that runs one provider's process, for the test that kills it. Prints the id of the child once it is up. */
import { systemClock } from '@opencashier/core/time/clock';
import { createLogger } from '../../observability/logger.ts';
import { readProviderFile } from '../provider-file.ts';
import { createProviderProcess } from '../provider-process.ts';

const [file = ''] = process.argv.slice(2);
const [from] = readProviderFile(file, process.env);
if (from === undefined) throw new Error('The file names no provider');
const logger = createLogger('info', { write: (line: string) => process.stdout.write(line) });
await createProviderProcess(from, { clock: systemClock, logger }).start();
