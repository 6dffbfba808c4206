import { environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, formatOf } from '../format.js';
import { directoryOptions } from './directory/options.js';
import type { SnapshotFlags } from '../access/snapshot.js';

/** `castellan snapshot [CONFIG…] --out FILE`: keeps what stacks refer to in the directory. */
export const register: RegisterCommand = (program, io, done) => {
  const command = addFormat(program.command('snapshot'))
    .description('Keep what stacks refer to in the directory as a seed file, for `castellan access --from FILE` without credentials.')
    .argument('[path...]', 'castellan.yaml files, or folders (default: this folder)')
    .requiredOption('-o, --out <file>', 'the seed file to write')
    .option('--from <source>', 'sandbox or live', 'sandbox')
    .option('--pseudonyms', 'replace the names and mail addresses of people whom no configuration names')
    .option('--key-file <file>', 'the key that pseudonyms depend on (default: CASTELLAN_PSEUDONYM_KEY, else .castellan/pseudonyms.key)')
    .option('--properties <list>', 'properties of people to keep as they are, beside those that the rules ask: department,jobTitle')
    .option(...environmentOption)
    .addOption(environmentInShort());
  directoryOptions(command).action(async (paths: string[], flags: Omit<SnapshotFlags, 'paths'> & { readonly env?: string }) => {
    formatOf(flags);
    const { runSnapshot } = await import('../access/snapshot.js');
    done(await runSnapshot({ ...flags, ...environmentOf(flags), paths: paths.length === 0 ? ['.'] : paths }, io));
  });
};
