import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';
import { type FormatFlags, formatOf } from '../format.js';
import { directoryOptions } from './directory/options.js';
import type { AccessFlags } from '../access/run.js';

/** How it prints; the last two show a change. */
const accessFormats = ['text', 'json', 'markdown', 'mermaid'] as const;

/** `castellan access [APP | CONFIG…]`: who gets into an app, and why. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('access')
    .description('Show who gets into an app, and why: by the decisions of the sign-in layer and the rules of the directory.')
    .argument('[app-or-path...]', 'the name of an app, or files and folders (default: this folder)')
    .option('--app <name>', 'the app')
    .option('--person <name>', 'answer for one person: user principal name, id, or a name that only one person has')
    .option('--anonymous', 'answer for a browser without a session')
    .option('--path <path>', 'the path that is asked for', '/')
    .option('--reverse', 'everything that the person reaches')
    .option('--people', 'list the people, not only their number')
    .option('--controllers', 'list who can let others in: owners, and holders of directory roles')
    .option('--base <commit>', 'compare with a commit or branch: who gains and loses access, and why')
    .option('--baseline <file>', 'the findings of --base that are accepted (default: the baseline that check reads); none for none')
    .option('--write-baseline', 'accept the findings of --base: write them into the baseline')
    .option('--policy <file>', 'the policy (default: castellan.policy.yaml here or beside a configuration)')
    .option('--target <target>', 'whose sign-in layer answers: sandbox, or azure, with what the cloud decides differently', 'sandbox')
    .option('--from <source>', 'the people: sandbox, live, or a seed file', 'sandbox')
    .option('-f, --format <format>', 'text or json; with --base also markdown and mermaid (default: text)')
    .option('--json', 'short for --format json')
    .option(...environmentOption)
    .addOption(environmentInShort());
  directoryOptions(command).action(
    async (
      given: string[],
      { format, json, ...flags }: Omit<AccessFlags, 'format'> & FormatFlags<(typeof accessFormats)[number]> & { readonly env?: string },
    ) => {
      const { runAccess } = await import('../access/run.js');
      done(
        await runAccess(
          { ...flags, format: formatOf({ format, json }, accessFormats), ...environmentOf(flags), ...targetOf(given, flags.app, io.cwd) },
          io,
        ),
      );
    },
  );
};

/** Names that stand for an app, and paths of configurations. */
function targetOf(
  given: readonly string[],
  app: string | undefined,
  cwd: string,
): { readonly app?: string; readonly paths: readonly string[] } {
  const paths = given.filter((each) => /\.ya?ml$/.test(each) || each.includes('/') || existsSync(resolve(cwd, each)));
  const names = given.filter((each) => !paths.includes(each));
  if (names.length + (app === undefined ? 0 : 1) > 1) throw new CastellanError('CAS8001', 'one app at a time: name it once');
  const name = app ?? names[0];
  return { paths: paths.length === 0 ? ['.'] : paths, ...(name === undefined ? {} : { app: name }) };
}
