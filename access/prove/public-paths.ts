import { publicPaths } from '../answer/overview.js';
import { answerOf } from '../decide/request.js';
import type { AppAccess } from '../stack/apps.js';

/**
 * A path that a browser without a session reaches in one app and not in another; undefined if there
 * is none. An excluded path stands for itself and all below it, so that looking at each of them,
 * and at one path outside all of them, suffices.
 */
export function pathOnlyIn(app: AppAccess, other: AppAccess | undefined): string | undefined {
  const isWhole = publicPaths(app).includes('/*');
  const excluded = [
    ...(app.settings?.excludedPaths ?? []),
    ...(other?.settings?.excludedPaths ?? []),
  ];
  const candidates = isWhole
    ? ['/', outside(excluded)]
    : (app.settings?.excludedPaths ?? []).flatMap((path) =>
        path === '' ? ['/', outside(excluded)] : [path, `${path === '/' ? '' : path}/a`],
      );
  return candidates.find(
    (path) => isPublic(app, path) && (other === undefined || !isPublic(other, path)),
  );
}

/** A path that a browser without a session reaches: this one, or one below it. */
export function pathWithin(app: AppAccess, path: string): string | undefined {
  const stem = path === '/' ? '' : path.replace(/\/+$/, '');
  const below = (app.settings?.excludedPaths ?? []).filter((each) =>
    `${each}/`.startsWith(`${stem.toLowerCase()}/`),
  );
  return [stem === '' ? '/' : stem, ...below, `${stem}/a`].find(
    (each) => each !== '' && isPublic(app, each),
  );
}

/** Whether a browser without a session reaches a path. */
export function isPublic(app: AppAccess, path: string): boolean {
  return app.reach !== 'nowhere' && answerOf(app, path, undefined).allowed === true;
}

/** A path that is none of these, and below none of them. */
function outside(paths: readonly string[]): string {
  for (let path = '/a'; ; path += 'a')
    if (!paths.some((each) => each === path || each.startsWith(`${path}/`))) return path;
}
