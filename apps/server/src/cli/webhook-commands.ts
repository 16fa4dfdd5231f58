/** The command that replays a webhook (SRV-5). */
import * as v from 'valibot';
import { replayDelivery } from '../webhooks/delivery-records.ts';
import { type AddCommands, CommandError, UsageError } from './command.ts';

export const addWebhookCommands: AddCommands = (program, { output, withDatabase }) => {
  program
    .command('replay')
    .description('sends a webhook again under its own id')
    .argument('<delivery>', 'id of the delivery, from `list deliveries`')
    .action((id) => {
      if (!v.is(v.pipe(v.string(), v.uuid()), id)) throw new UsageError('The id of a delivery is a UUID.');
      return withDatabase(async (database) => {
        const [row] = await database.query<{ operator_id: string }>({
          text: `select operator.id as operator_id from operator
            cross join lateral (select 1 from webhook_delivery where operator_id = operator.id and webhook_delivery.id = $1) told`,
          values: [id],
        });
        const replay = row === undefined ? 'unknown' : await replayDelivery(database, row.operator_id, id);
        if (replay === 'unknown') throw new CommandError(`The delivery ${id} does not exist.`);
        if (replay === 'not-kept')
          throw new CommandError(
            'The webhook contained a confirmation code, which is not stored. It cannot be sent again.',
          );
        output.out(`The running cashier will send ${replay.type} ${replay.id} again, under the same webhook id.`);
        return 0;
      });
    });
};
