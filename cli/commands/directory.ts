import type { Command } from 'commander';
import type { DirectoryClient, Group, ListOptions } from '../../clients/directory/index.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { terminalOutputOf } from '../../core/text/terminal.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printText } from '../format.js';
import {
  deletedGroupColumns,
  describeGroup,
  filterOptions,
  groupColumns,
  objectColumns,
  searchClause,
} from './directory/group-output.js';
import { findGroup } from './directory/find-group.js';
import { methodColumns } from './directory/authentication-method-output.js';
import { type Column, table } from '../table.js';
import { refuseUnknownSubcommands } from '../unknown-subcommand.js';
import { withDefaultSandbox, connectDirectory } from '../services/service-clients.js';
import { type ServiceFlags, addServiceOptions } from '../services/service-options.js';

interface DirectoryFlags extends ServiceFlags, FormatFlags {
  readonly filter?: string;
  readonly search?: string;
  readonly limit?: string;
  /** Whether to list what the signed-in user has. */
  readonly me?: boolean;
  readonly transitive?: boolean;
}

/** `castellan directory groups|auth-methods …`: lists the content of the directory. */
export const register: RegisterCommand = (program, io, done) => {
  const directory = program
    .command('directory')
    .description('Show the directory: groups, and the authentication methods of people.');
  const run =
    (work: (client: DirectoryClient, flags: DirectoryFlags, argument: string) => Promise<void>) =>
    async (...args: unknown[]) => {
      const argument = typeof args[0] === 'string' ? args[0] : '';
      const flags =
        args.find((each): each is DirectoryFlags => typeof each === 'object' && each !== null) ??
        {};
      formatOf(flags); // refuses an unknown format before any request
      await work(await connectDirectory(await withDefaultSandbox(flags, io), io), flags, argument);
      done(exitCodes.clean);
    };

  const groups = directory
    .command('groups')
    .description('List groups, show one, list its members or owners.');
  refuseUnknownSubcommands(addSubcommand(groups, 'list', 'List groups.', { isDefault: true }))
    .option('--filter <filter>', `such as "startsWith(displayName,'sales')"`)
    .option('--search <words>', 'words in the name or description')
    .option('--limit <count>', 'stop after so many')
    .action(
      run(async (client, flags) =>
        printRows(
          await collectUpToLimit(client.groups.list(listOptions(flags)), flags),
          groupColumns,
          flags,
          io,
        ),
      ),
    );
  addSubcommand(groups, 'show <group>', 'Show one group, by id, mail nickname or name.').action(
    run(async (client, flags, name) => {
      const group = await findGroup(client, name);
      if (formatOf(flags) === 'json') io.stdout.write(toJson(group));
      else printText(io.stdout, await describeGroup(client, group));
    }),
  );
  addSubcommand(groups, 'members <group>', 'List the members of a group.')
    .option('--transitive', 'members of member groups as well')
    .action(
      run(async (client, flags, name) => {
        const { id } = await findGroup(client, name);
        const relationship =
          flags.transitive === true ? client.groups.transitiveMembers : client.groups.members;
        printRows(await collectUpToLimit(relationship.list(id), flags), objectColumns, flags, io);
      }),
    );
  addSubcommand(groups, 'owners <group>', 'List the owners of a group.').action(
    run(async (client, flags, name) => {
      const { id } = await findGroup(client, name);
      printRows(
        await collectUpToLimit(client.groups.owners.list(id), flags),
        objectColumns,
        flags,
        io,
      );
    }),
  );
  addSubcommand(groups, 'deleted', 'List deleted groups that can still be restored.').action(
    run(async (client, flags) =>
      printRows(
        await collectUpToLimit(client.deletedItems.list<Group>('group'), flags),
        deletedGroupColumns,
        flags,
        io,
      ),
    ),
  );

  addSubcommand(
    directory,
    'auth-methods [user]',
    'List the authentication methods of a user, by id or user principal name.',
  )
    .option('--me', 'of the signed-in user')
    .action(
      run(async (client, flags, user) => {
        if ((user === '') === (flags.me !== true))
          throw new CastellanError('CAS8001', 'auth-methods takes a user, or --me');
        const methods =
          flags.me === true
            ? client.me.authenticationMethods()
            : client.users.authenticationMethods(user);
        printRows(await collectUpToLimit(methods, flags), methodColumns, flags, io);
      }),
    );
};

function addSubcommand(
  parent: Command,
  name: string,
  description: string,
  options: { isDefault?: boolean } = {},
): Command {
  return addServiceOptions(
    addFormat(parent.command(name, options).description(description)),
  ).option('-e, --environment <name>', 'the environment whose sandbox is asked');
}

/** The options of a request for groups. */
function listOptions({ filter, search }: DirectoryFlags): ListOptions {
  return {
    ...filterOptions(filter),
    ...(search !== undefined && {
      search: `${searchClause('displayName', search)} OR ${searchClause('description', search)}`,
    }),
  };
}

/** The first entries of a list, up to `--limit`. @throws CAS8001 for another limit than a number */
async function collectUpToLimit<T>(
  source: AsyncIterable<T>,
  { limit }: DirectoryFlags,
): Promise<T[]> {
  const maxEntries = limit === undefined ? Infinity : Number(limit);
  if (!(maxEntries === Infinity || (Number.isInteger(maxEntries) && maxEntries > 0)))
    throw new CastellanError('CAS8001', `--limit ${limit ?? ''}: must be an integer of at least 1`);
  const values: T[] = [];
  for await (const each of source) {
    values.push(each);
    if (values.length >= maxEntries) break;
  }
  return values;
}

function printRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  flags: DirectoryFlags,
  { stdout, stderr, env }: CliIo,
): void {
  const format = formatOf(flags);
  stdout.write(
    format === 'json' ? toJson(rows) : table(rows, columns, terminalOutputOf(stdout, env)),
  );
  if (format === 'text')
    stderr.write(`${rows.length} ${rows.length === 1 ? 'entry' : 'entries'}\n`);
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
