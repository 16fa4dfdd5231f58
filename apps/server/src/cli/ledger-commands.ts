/** The command that audits the ledger (SRV-2), and the one that notes a backup. */
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { auditLedger, auditSincePoints, countFaults, inAuditSnapshot } from '../ledger/ledger-audit.ts';
import { recordRun } from '../monitoring/maintenance-runs.ts';
import type { AddCommands } from './command.ts';

export const addAuditCommand: AddCommands = (program, { output, withDatabase }) => {
  program
    .command('audit')
    .description('checks the ledger since its last checked point; exit code 1 if it finds an error')
    .option('--full', 'checks the whole ledger and compares it with every checked point')
    .action(({ full = false }) =>
      withDatabase(async (database) => {
        const audit = await inAuditSnapshot(database, async (transaction) => {
          const result = await (full ? auditLedger : auditSincePoints)(transaction);
          if (result.isSound) await storeAuditPoints(transaction);
          return result;
        });
        await recordRun(database, { kind: full ? 'full-audit' : 'audit', faults: countFaults(audit) });
        for (const { operatorId, asset, sum } of audit.unbalancedAssets) {
          output.out(`The postings of ${operatorId} in ${asset} sum to ${sum}, not to zero.`);
        }
        for (const { accountId, balance, sum } of audit.wrongBalances) {
          output.out(`Account ${accountId} has the balance ${balance}, but its postings sum to ${sum}.`);
        }
        for (const id of audit.uncreditedDeposits) output.out(`Deposit ${id} is not credited by exactly one journal.`);
        for (const { rule, subject } of audit.faults) output.out(`${subject} breaks the rule ${rule}.`);
        output.out(audit.isSound ? 'The ledger is sound.' : 'The ledger is NOT sound.');
        return audit.isSound ? 0 : 1;
      }),
    );
};

export const addBackupDoneCommand: AddCommands = (program, { output, withDatabase }) => {
  program
    .command('backup-done')
    .description('notes that a backup by another tool is complete, for the metrics and for doctor')
    .action(() =>
      withDatabase(async (database) => {
        await recordRun(database, { kind: 'backup', faults: 0 });
        output.out('Noted. doctor and /metrics now show the age of this backup.');
        return 0;
      }),
    );
};
