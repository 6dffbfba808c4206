import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, openDatabase } from '../../services/common/database.js';

/**
 * Opens a database in memory in which other requests can run after every query, as on PostgreSQL.
 */
export async function openDatabaseWithTurns(): Promise<Database> {
  const database = await openDatabase('memory:');
  const connection = database.connection.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await nextTurn();
      return result;
    },
  });
  return { ...database, connection };
}
