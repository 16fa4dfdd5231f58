/** The watch's own connection to PostgreSQL. */
import { Socket } from 'node:net';
import pg from 'pg';
import type { WatchConnection } from './database-watch.ts';

interface Connection {
  readonly socket: Socket;
  readonly client: pg.Client;
  readonly connected: Promise<unknown>;
}

/** Connects at the first `ask`, and again after an error. */
export function openWatchConnection(connectionString: string): WatchConnection {
  let open: Connection | undefined;

  const connect = (): Connection => {
    const socket = new Socket();
    const client = new pg.Client({ connectionString, stream: () => socket, application_name: 'opencashier watch' });
    // The pending check fails with the same error.
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
        // A refusal is an answer, too. The pool gets the same refusal and reports it.
        if (!(error instanceof pg.DatabaseError)) throw error;
      }
    },
    close,
  };
}
