import type { AppAccess } from '../stack/apps.js';
import { answerRequest } from './request-answer.js';

/** The values of `reach`, from reachable by nobody to reachable by everybody. */
const reaches: readonly AppAccess['reach'][] = ['nowhere', 'environment', 'everywhere'];

/** A path and all below it, of which a browser without a session reaches all or nothing. */
interface PathRegion {
  /** As it is declared; `/*` for all that no setting names, `/` for the root alone. */
  readonly name: string;
  /** A path to request, whose answer is that of the whole region. */
  readonly requestPath: string;
}

/** Whether a browser without a session reaches a path. */
export function isPublic(app: AppAccess, path: string): boolean {
  return app.reach !== 'nowhere' && answerRequest(app, path, undefined).allowed === true;
}

/** Paths that need no sign-in, as they are declared; `/*` for the whole app. */
export function publicPaths(app: AppAccess): readonly string[] {
  if (isPublic(app, pathNotAmong(namedPaths([app])))) return ['/*'];
  return app.excludedPaths.filter((_, index) =>
    isPublic(app, requestPathOf(app.settings?.excludedPaths[index] ?? '')),
  );
}

/** Whether a browser without a session reaches everything. */
export function isOpenToAll(app: AppAccess): boolean {
  const { requirements = [], enabled } = app.settings ?? {};
  return publicPaths(app).includes('/*') && (requirements.length === 0 || enabled === false);
}

/**
 * The paths that a browser without a session reaches in one app and not in another, each with all
 * below it that is not public there, too; `/*` for the whole app.
 */
export function publicPathsOnlyIn(app: AppAccess, other: AppAccess | undefined): readonly string[] {
  const regions = regionsOnlyIn(app, other);
  if (regions.some(({ name }) => name === '/*')) return ['/*'];
  const isBelow = (path: string, stem: string): boolean =>
    stem !== '/' && path.startsWith(`${stem}/`);
  return regions
    .filter(({ requestPath }) => !regions.some((each) => isBelow(requestPath, each.requestPath)))
    .map(({ name }) => name);
}

/**
 * A path that a browser without a session reaches in one app and not in another; undefined if there
 * is none.
 */
export function firstPublicPathOnlyIn(
  app: AppAccess,
  other: AppAccess | undefined,
): string | undefined {
  return regionsOnlyIn(app, other)[0]?.requestPath;
}

/**
 * Whether an app is reached from where another is not: whoever is outside of an environment does
 * not reach what is only within it.
 */
export function isReachedFromFarther(app: AppAccess, { reach }: AppAccess): boolean {
  return reaches.indexOf(app.reach) > reaches.indexOf(reach);
}

/** A path of one segment that is none of these, and above none of them. */
export function pathNotAmong(paths: readonly string[]): string {
  for (let path = '/a'; ; path += 'a')
    if (!paths.some((each) => each === path || each.startsWith(`${path}/`))) return path;
}

/**
 * Excluded paths and requirements match whole segments from the beginning, so that looking at
 * each of them, at the root, and at one path outside all of them suffices.
 */
function regionsOnlyIn(app: AppAccess, other: AppAccess | undefined): readonly PathRegion[] {
  const comparableApp = other !== undefined && isReachedFromFarther(app, other) ? undefined : other;
  const paths = namedPaths([app, comparableApp]).filter((path) => path !== '' && path !== '/');
  const regions = [
    { name: '/', requestPath: '/' },
    { name: '/*', requestPath: pathNotAmong(paths) },
    ...paths.map((path) => ({
      name: declaredSpelling(path, app),
      requestPath: requestPathOf(path),
    })),
  ];
  return regions.filter(
    ({ requestPath }) =>
      isPublic(app, requestPath) &&
      (comparableApp === undefined || !isPublic(comparableApp, requestPath)),
  );
}

/** The paths that decide what is public, as the sign-in layer compares them: `''` is the whole app. */
function namedPaths(apps: readonly (AppAccess | undefined)[]): readonly string[] {
  const paths = apps.flatMap((app) => {
    const { excludedPaths = [], requirements = [], apiPrefix, logoutPath } = app?.settings ?? {};
    return [...excludedPaths, ...requirements.map(({ path }) => path), apiPrefix, logoutPath];
  });
  return [...new Set(paths.filter((path) => path !== undefined))];
}

function declaredSpelling(path: string, { settings, excludedPaths }: AppAccess): string {
  const index = settings?.excludedPaths.indexOf(path) ?? -1;
  return excludedPaths[index] ?? path;
}

/** A path as a browser asks for it: letters that are not ASCII are encoded. */
export function requestPathOf(path: string): string {
  return path === '' ? '/' : path.replace(/[^\u0021-\u007e]+/gu, encodeURIComponent);
}
