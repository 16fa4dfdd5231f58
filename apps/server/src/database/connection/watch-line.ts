/** The watch's own connection to PostgreSQL. */
import { Socket } from 'node:net';
import pg from 'pg';
import type { WatchLine } from './database-watch.ts';

interface Connection {
  readonly socket: Socket;
  readonly client: pg.Client;
  readonly connected: Promise<unknown>;
}

export function openWatchLine(connectionString: string): WatchLine {
  let open: Connection | undefined;

  const connect = (): Connection => {
    const socket = new Socket();
    const client = new pg.Client({ connectionString, stream: () => socket, application_name: 'opencashier watch' });
    // The question under way is told of it as well.
    client.on('error', () => undefined);
    return { socket, client, connected: client.connect() };
  };
  const close = (): void => {
    open?.socket.destroy();
    open = undefined;
  };

  return {
    async ask() {
      try {
        open ??= connect();
        await open.connected;
        await open.client.query('select 1');
      } catch (error) {
        close();
        // A refusal is an answer, too: the pool hears it and says it.
        if (!(error instanceof pg.DatabaseError)) throw error;
      }
    },
    close,
  };
}
