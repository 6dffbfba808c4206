import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { forkFile, defaultEnvironment } from '../core/project/environment-folder.js';
import { openSqlite, type Sqlite } from '../services/common/sqlite.js';
import { requestSandbox } from './admin-client.js';
import { startBackground } from './background/process.js';
import { prepareSandboxFolder, sandboxName, sandboxPaths } from './paths.js';
import { writePrivate } from './private-file.js';
import { readSettings, writeSettings } from './settings.js';
import {
  copyDatabase,
  copyKeptFiles,
  removeKeptFiles,
  requireSnapshotName,
  withDraftFolder,
} from './snapshots.js';
import { readRunningState } from './state.js';

/**
 * Copies a sandbox, with Terraform's states, to the sandbox of another environment of the project
 * and starts it beside the first one: `castellan plan -e NAME` then works on the copy. Addresses of
 * the first one, such as those to which a sign-in returns, become the copy's. A copy that does not
 * start is removed.
 *
 * @param port the port of the copy.
 * @throws CAS4021 for a name that is not valid or whose environment has a sandbox, CAS4014 when the
 *   port is taken.
 */
export async function forkSandbox(
  projectDir: string,
  { name, port, environment }: { name: string; port: number; environment?: string },
): Promise<{ readonly environment: string; readonly origin: string; readonly pid: number }> {
  requireSnapshotName(name);
  const [from, to] = [sandboxPaths(projectDir, environment), sandboxPaths(projectDir, name)];
  const hasSandbox = existsSync(to.database) || readRunningState(to) !== undefined;
  if (from.root === to.root || hasSandbox)
    throw new CastellanError('CAS4021', `the environment ${name} has a sandbox already`);
  const settings = readSettings(from);
  const isRunning = readRunningState(from) !== undefined; // a running one may be on PostgreSQL
  if (settings === undefined || (!isRunning && !existsSync(from.database)))
    throw new CastellanError('CAS4021', `${sandboxName(from)} has no sandbox to copy`);
  prepareSandboxFolder(to);
  try {
    await withDraftFolder(to, async (draft) => {
      if (!isRunning) copyDatabase(from.root, draft);
      else await requestSandbox(from, 'POST', '/database-copy', { folder: draft });
      copyKeptFiles(from.root, draft, (file) => fileNameInEnvironment(file, environment, name));
      const ports = [settings.port, port] as const;
      const database = basename(to.database);
      await replaceAddressInDatabase(join(draft, database), ...ports);
      for (const file of readdirSync(draft).filter((each) => each.endsWith('.tfstate')))
        replaceAddressInFile(join(draft, file), ...ports);
      writePrivate(
        join(draft, forkFile),
        `${JSON.stringify({ of: environment ?? defaultEnvironment })}\n`,
      );
      removeKeptFiles(to.root);
      writeSettings(to, { ...settings, port });
      // the database last: an environment without one has no sandbox yet
      for (const file of readdirSync(draft).filter((each) => each !== database))
        renameSync(join(draft, file), join(to.root, file));
      renameSync(join(draft, database), to.database);
    });
    const { state } = await startBackground(to);
    return { environment: name, origin: state.origin, pid: state.pid };
  } catch (error) {
    // so that the fork can be tried again
    removeKeptFiles(to.root);
    for (const file of [to.settings, join(to.root, forkFile)]) rmSync(file, { force: true });
    throw error;
  }
}

/** The name of a state file in another environment; other files keep their names. */
function fileNameInEnvironment(file: string, from: string | undefined, to: string): string {
  const [, suffixed] = /^terraform\.(.+)\.tfstate$/.exec(file) ?? [];
  if (suffixed === undefined) return file;
  const stack =
    from !== undefined && suffixed.endsWith(`.${from}`)
      ? suffixed.slice(0, -from.length - 1)
      : suffixed;
  return `terraform.${stack}.${to}.tfstate`;
}

/** The end of the hosts of a sandbox and of its apps. */
const hostSuffix = (port: number): string => `localhost:${String(port)}`;

function replaceAddressInFile(file: string, from: number, to: number): void {
  writePrivate(file, readFileSync(file, 'utf8').replaceAll(hostSuffix(from), hostSuffix(to)));
}

/** Replaces the address in every text of every row. */
async function replaceAddressInDatabase(file: string, from: number, to: number): Promise<void> {
  const { registerSqlFunctions } = await import('../services/directory/odata/index.js');
  const sqlite = openSqlite(file);
  try {
    registerSqlFunctions(sqlite); // the SQL function that expressions of indexes call
    sqlite.transaction(() => {
      for (const { table, column } of textColumns(sqlite))
        sqlite
          .prepare(
            `update "${table}" set "${column}" = replace("${column}", ?, ?)
             where typeof("${column}") = 'text' and instr("${column}", ?) > 0`,
          )
          .run([hostSuffix(from), hostSuffix(to), hostSuffix(from)]);
    });
  } finally {
    sqlite.close();
  }
}

function textColumns(
  sqlite: Sqlite,
): readonly { readonly table: string; readonly column: string }[] {
  return sqlite
    .prepare(
      `select t.name as "table", c.name as "column"
       from sqlite_master t join pragma_table_info(t.name) c
       where t.type = 'table' and t.name not like 'sqlite_%' and lower(c.type) not like 'int%'`,
    )
    .all() as { readonly table: string; readonly column: string }[];
}
