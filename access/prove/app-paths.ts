import { canonicalPathOf } from '../../kinds/auth/path-pattern.js';
import { isPublic, pathNotAmong } from '../decide/public-paths.js';
import type { AppAccess } from '../stack/apps.js';

/**
 * An excluded path of an app that the other app does not list in this spelling. A shorter path or
 * another spelling in its list may exclude it, too; the cloud does not document whether it does.
 */
export function unsharedExcludedPath(
  app: AppAccess,
  otherApp: AppAccess | undefined,
): string | undefined {
  if (otherApp === undefined || app.reach === 'nowhere') return undefined;
  return app.excludedPaths.find((path) => !otherApp.excludedPaths.includes(path));
}

/** A path that a browser without a session reaches: this one, or one below it. */
export function publicPathWithin(app: AppAccess, path: string): string | undefined {
  const stem = path === '/' ? '' : path.replace(/\/+$/, '');
  const excludedPathsBelow = (app.settings?.excludedPaths ?? []).filter((each) =>
    `${canonicalPathOf(each)}/`.startsWith(`${canonicalPathOf(stem)}/`),
  );
  return [stem === '' ? '/' : stem, ...excludedPathsBelow, `${stem}/a`].find(
    (each) => each !== '' && isPublic(app, each),
  );
}

/**
 * One path for each set of requirements in these apps: `/` for what has no requirement, or a path
 * below it where `/` itself is excluded from sign-in.
 */
export function samplePaths(apps: readonly (AppAccess | undefined)[]): readonly string[] {
  const requirements = apps.flatMap((app) => app?.settings?.requirements ?? []);
  const excludedPaths = apps.flatMap((app) => app?.settings?.excludedPaths ?? []);
  const paths = requirements.map(({ path }) => path);
  const unrestrictedPath = excludedPaths.includes('/')
    ? pathNotAmong([...excludedPaths, ...paths])
    : '/';
  return [
    ...new Set([unrestrictedPath, ...paths.map((path) => (path === '' ? unrestrictedPath : path))]),
  ];
}
