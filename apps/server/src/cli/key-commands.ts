/** `keys …`: the API keys of an operator. Only the command line makes and revokes them (SRV-1). */
import * as v from 'valibot';
import { apiKeyView } from '../operator-api/settings/settings-handlers.ts';
import { addApiKey, listApiKeys, revokeApiKey, seedLabel } from '../operators/api-keys.ts';
import { type AddCommands, CommandError, UsageError } from './command.ts';
import { actorOf, byOption, jsonOption, operatorArgument, operatorIdOf, print, type Row } from './listing.ts';

const labelSchema = v.pipe(v.string(), v.trim(), v.regex(/^[\x20-\x7e]{1,64}$/));

export const addKeyCommands: AddCommands = (program, { output, withDatabase }) => {
  const keys = program.command('keys').description('the API keys of an operator, by id and label');
  keys
    .command('list', { isDefault: true })
    .description('lists the keys, without the keys themselves')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const found = await listApiKeys(database, await operatorIdOf(database, partnerKey));
        print(output, found.map(apiKeyView), keyRow, json);
        return 0;
      }),
    );
  keys
    .command('add')
    .description('prints a further key; the others stay valid')
    .argument(...operatorArgument)
    .requiredOption('--label <label>', 'what uses the key, such as back-office')
    .option(...byOption)
    .action((partnerKey, { label: asked, by }) => {
      const actor = actorOf(by);
      const label = v.safeParse(labelSchema, asked);
      if (!label.success || label.output === seedLabel) {
        throw new UsageError('--label must have 1 to 64 printable characters, and not be `seed`.');
      }
      return withDatabase(async (database) => {
        const made = await addApiKey(database, await operatorIdOf(database, partnerKey), label.output, actor);
        output.out(`A further API key of ${partnerKey}: ${label.output}. It works at once.`);
        output.out('');
        output.out(`  key id          ${made.id}`);
        output.out(`  secret key      ${made.secretKey}`);
        output.out('');
        output.out('This is shown only once. Store it on the operator’s backend and nowhere else.');
        return 0;
      });
    });
  keys
    .command('revoke')
    .description('ends a key; nodes refuse it within ten seconds')
    .argument(...operatorArgument)
    .argument('<key-id>', 'as `keys list` shows it')
    .option(...byOption)
    .action((partnerKey, keyId, { by }) => {
      const actor = actorOf(by);
      if (!v.is(v.pipe(v.string(), v.uuid()), keyId)) throw new UsageError('The key id is a UUID. Run `keys list`.');
      return withDatabase(async (database) => {
        const isRevoked = await revokeApiKey(database, await operatorIdOf(database, partnerKey), keyId, actor);
        if (!isRevoked) throw new CommandError(`${partnerKey} has no valid key ${keyId}. Run \`keys list\`.`);
        output.out(`Revoked the key ${keyId}. Running cashiers refuse it within ten seconds.`);
        return 0;
      });
    });
};

function keyRow({ keyId, label, created, validUntil, isValid }: ReturnType<typeof apiKeyView>): Row {
  return { id: keyId, label, created, until: validUntil, valid: isValid ? 'yes' : 'no' };
}
