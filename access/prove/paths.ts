import { answerOf } from '../decide/request.js';
import type { AppAccess } from '../stack/apps.js';

/**
 * A path that a browser without a session reaches in one app and not in another; undefined if there
 * is none. Excluded paths and requirements are about whole segments from the beginning, so that
 * looking at each of them, at a path below each, and at one outside all of them, suffices.
 */
export function publicPathOnlyIn(app: AppAccess, other: AppAccess | undefined): string | undefined {
  const named = [app, other].flatMap((each) => [
    ...(each?.settings?.excludedPaths ?? []),
    ...(each?.settings?.requirements ?? []).map(({ path }) => path),
  ]);
  const candidates = named.flatMap((path) => {
    const stem = path === '/' ? '' : path;
    return [path === '' ? '/' : path, `${stem}${pathOutside(namesBelow(named, stem))}`];
  });
  return ['/', pathOutside(named), ...candidates].find(
    (path) => isPublic(app, path) && (other === undefined || !isPublic(other, path)),
  );
}

/**
 * An excluded path that the other app excludes only by a shorter one, or in another spelling:
 * whether the cloud does, too, is not documented.
 */
export function undocumentedCloudPath(
  app: AppAccess,
  other: AppAccess | undefined,
): string | undefined {
  if (other === undefined || app.reach === 'nowhere') return undefined;
  return app.excludedPaths.find((path) => !other.excludedPaths.includes(path));
}

/** What is left of the paths below one. */
function namesBelow(paths: readonly string[], stem: string): readonly string[] {
  return paths.flatMap((path) => (path.startsWith(`${stem}/`) ? [path.slice(stem.length)] : []));
}

/** A path that a browser without a session reaches: this one, or one below it. */
export function publicPathWithin(app: AppAccess, path: string): string | undefined {
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
function pathOutside(paths: readonly string[]): string {
  for (let path = '/a'; ; path += 'a')
    if (!paths.some((each) => each === path || each.startsWith(`${path}/`))) return path;
}

/**
 * A path for each part of apps that needs something else: `/` for what has no requirement, or a
 * path below it where `/` itself is excluded from sign-in.
 */
export function pathClasses(apps: readonly (AppAccess | undefined)[]): readonly string[] {
  const required = apps.flatMap((app) => app?.settings?.requirements ?? []);
  const excluded = apps.flatMap((app) => app?.settings?.excludedPaths ?? []);
  const paths = required.map(({ path }) => path);
  const whole = excluded.includes('/') ? pathOutside([...excluded, ...paths]) : '/';
  return [...new Set([whole, ...paths.map((path) => (path === '' ? whole : path))])];
}
