import { CastellanError } from '../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { type AppStatus, sandboxStatus } from '../../sandbox/index.js';
import { sandboxName, sandboxPaths } from '../../sandbox/paths.js';
import type { CliIo } from '../command.js';

/** An app that has an address. */
export type ReachableApp = AppStatus & { readonly url: string };

/**
 * The app of a running sandbox for a command: the named one, or the only one with an address.
 *
 * @throws CAS4012 when no sandbox is running, CAS8106 when the app does not exist, or there are
 *   several and none is named.
 */
export async function findReachableApp(
  name: string | undefined,
  environment: string | undefined,
  io: CliIo,
): Promise<ReachableApp> {
  const status = await sandboxStatus(io.cwd, environment);
  if (!status.running)
    throw new CastellanError(
      'CAS4012',
      `no sandbox is running for ${sandboxName(sandboxPaths(io.cwd, environment))}: \`castellan up\` starts one`,
    );
  const apps = status.apps.filter((each): each is ReachableApp => each.url !== undefined);
  const names = apps.map((each) => each.name);
  const app =
    name === undefined
      ? apps.length === 1
        ? apps[0]
        : undefined
      : apps.find((each) => each.name === name);
  if (app !== undefined) return app;
  if (name === undefined)
    throw new CastellanError(
      'CAS8106',
      names.length === 0 ? 'no app with an address is applied' : `name one of ${names.join(', ')}`,
    );
  const hint = didYouMean(
    nearest(name, names),
    names.length === 0 ? '' : `; there are ${names.join(', ')}`,
  );
  throw new CastellanError('CAS8106', `no app "${name}" with an address is applied${hint}`);
}

/** A link that signs a person in to an app (`/sign-in-as` of the sandbox). */
export function signInLink(url: string, person: string): string {
  const { port } = new URL(url);
  return `https://localhost:${port}/sign-in-as/${encodeURIComponent(person)}?to=${encodeURIComponent(url)}`;
}
