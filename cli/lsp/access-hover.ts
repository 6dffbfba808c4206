import { dirname, resolve } from 'node:path';
import { accessOverview } from '../../access/answer/overview.js';
import { countNoun } from '../../access/answer/report.js';
import { accessModel } from '../../access/model.js';
import { escapeHtmlLine } from '../../core/text/control-characters.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import { resolveConfig } from '../access/access-stacks.js';
import { loadDirectorySnapshot } from '../access/people.js';

const maxNames = 10;

/**
 * Who gets into an app, as Markdown: the answer of `castellan access`, for the text in the editor
 * and the people of the running sandbox or its seed.
 *
 * @returns undefined for an app that no stack declares.
 * @throws as `loadDirectorySnapshot` does.
 */
export async function accessHover(
  app: string,
  loaded: readonly LoadedStack[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const stacks = loaded.map((each) => ({ loaded: each, config: resolveConfig(each.config, env) }));
  const file = loaded.flatMap(({ files }) => files)[0];
  if (file === undefined) return undefined;
  // `loadDirectorySnapshot` prints nothing that matters; standard output belongs to the protocol
  const io = {
    cwd: dirname(resolve('/', file)),
    env,
    stdout: process.stderr,
    stderr: process.stderr,
  };
  const directory = await loadDirectorySnapshot({}, stacks, io);
  const model = accessModel(
    stacks.map(({ config }) => config),
    directory,
    { now: Date.now() },
  );
  const [overview] = accessOverview(
    model,
    model.apps.filter(({ name }) => name === app),
  );
  if (overview === undefined) return undefined;
  const { entrants, guestCount, groups, providersOpenToAnyone: openProviders } = overview;
  const { count } = entrants.admitted;
  const unknown = entrants.unknown.count;
  const names = [...entrants.admitted].slice(0, maxNames).map((personIndex) => {
    const { body, id } = model.memberships.person(personIndex);
    return body.userPrincipalName ?? id;
  });
  const lines = [
    `**${countNoun(count, 'person gets', 'people get')} in** by the directory${guestCount === 0 ? '' : `, ${countNoun(guestCount, 'guest', 'guests')} among them`}${unknown === 0 ? '' : `; of ${unknown} it is not known`}`,
    ...openProviders.map(
      (provider) => `**Anyone with an account at ${escapeHtmlLine(provider)}** gets in`,
    ),
    `public: ${overview.publicPaths.includes('/*') ? '**everything**' : overview.publicPaths.map((each) => `\`${each}\``).join(', ') || 'nothing'}`,
    ...groups.map(
      ({ name, peopleCount }) =>
        `group ${escapeHtmlLine(name)}: ${peopleCount === undefined ? 'not known' : countNoun(peopleCount, 'person', 'people')}`,
    ),
    ...(names.length === 0
      ? []
      : [
          `${names.map(escapeHtmlLine).join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`,
        ]),
    `_by ${escapeHtmlLine(directory.source)}; \`castellan access ${app} --person NAME\` says why_`,
  ];
  return lines.join('\n\n');
}
