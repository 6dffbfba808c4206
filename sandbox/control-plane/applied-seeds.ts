import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Kysely } from 'kysely';
import { type Database, migrate } from '../../services/common/database.js';
import type { SandboxServices } from './services.js';

interface Tables {
  sandbox_applied_seed: {
    /** The name of the file. */
    file: string;
    /** The hash of its content. */
    hash: string;
  };
}

/**
 * Applies a seed file if its content is not the one that was applied last: so what was deleted or
 * taken out of a group since then stays away. The database remembers it, so that a snapshot knows
 * its own.
 *
 * @throws CAS4002 for an invalid seed.
 */
export async function applyChangedSeed(
  file: string,
  { services, database }: { readonly services: SandboxServices; readonly database: Database },
): Promise<void> {
  if (!existsSync(file)) return;
  const tables = await openTable(database);
  const row = {
    file: basename(file),
    hash: createHash('sha256').update(readFileSync(file)).digest('hex'),
  };
  const applied = await tables
    .selectFrom('sandbox_applied_seed')
    .select('hash')
    .where('file', '=', row.file)
    .executeTakeFirst();
  if (applied?.hash === row.hash) return;
  const { readSeedFile } = await import('../serve/seed-file.js');
  await services.seed(readSeedFile(file));
  await tables
    .insertInto('sandbox_applied_seed')
    .values(row)
    .onConflict((conflict) => conflict.column('file').doUpdateSet({ hash: row.hash }))
    .execute();
}

/** Creates the table of the applied seeds, if needed. */
async function openTable(database: Database): Promise<Kysely<Tables>> {
  await migrate(database, 'sandbox', {
    '001-applied-seeds': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('sandbox_applied_seed')
          .addColumn('file', 'text', (column) => column.primaryKey())
          .addColumn('hash', 'text', (column) => column.notNull())
          .execute();
      },
    },
  });
  return database.connection as unknown as Kysely<Tables>;
}
