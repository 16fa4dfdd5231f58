/** Commands that take a settlement file back: one person proposes it, and another confirms it (SRV-1, SRV-2). */
import { randomUUID } from 'node:crypto';
import type { Command } from '@commander-js/extra-typings';
import {
  decideTakeBack as decideEndpoint,
  decideTakeBackSchema,
  proposeTakeBack as proposeEndpoint,
  proposeTakeBackSchema,
} from '@opencashier/contract/operator';
import { decideTakeBack, proposeTakeBack } from '../settlements/take-back.ts';
import type { Session } from './command.ts';
import { operatorArgument, operatorIdOf, readOptions } from './listing.ts';

export function addTakeBackCommands(settlements: Command, session: Session): void {
  const takeBack = settlements
    .command('take-back')
    .description('takes a file back that was imported by mistake, so that it settles nothing');
  addPropose(takeBack, session);
  addDecision(takeBack, session, 'confirm');
  addDecision(takeBack, session, 'reject');
}

function addPropose(takeBack: Command, { output, withDatabase }: Session): void {
  takeBack
    .command('propose')
    .description('proposes to take a file back; another person confirms it')
    .argument(...operatorArgument)
    .argument('<file>', 'a file of `settlements list`')
    .requiredOption('--by <name>', 'who proposes it')
    .requiredOption('--reason <text>', 'why')
    .action((partnerKey, file, { by: decidedBy, reason }) => {
      const { fileId } = readOptions(proposeEndpoint.params, { fileId: file });
      const request = readOptions(proposeTakeBackSchema, { decisionId: randomUUID(), decidedBy, reason });
      return withDatabase(async (database) => {
        const { name } = await proposeTakeBack(database, await operatorIdOf(database, partnerKey), fileId, request);
        output.out(`Proposed as ${request.decisionId}: to take ${name} back. Another person must confirm it.`);
        return 0;
      });
    });
}

function addDecision(takeBack: Command, { output, withDatabase }: Session, decision: 'confirm' | 'reject'): void {
  takeBack
    .command(decision)
    .description(
      decision === 'confirm' ? 'confirms a proposal of another person, and takes the file back' : 'rejects a proposal',
    )
    .argument(...operatorArgument)
    .argument('<proposal>', 'a proposal that waits, of `settlements list`')
    .requiredOption('--by <name>', 'who decides')
    .action((partnerKey, proposal, { by: decidedBy }) => {
      const { takeBackId } = readOptions(decideEndpoint.params, { takeBackId: proposal });
      const request = readOptions(decideTakeBackSchema, { decision, decidedBy });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const { name } = await decideTakeBack(database, operatorId, takeBackId, request);
        output.out(
          decision === 'confirm'
            ? `${name} is taken back, and settles nothing. The same file can be imported again.`
            : `Rejected. ${name} stays as it is.`,
        );
        return 0;
      });
    });
}
