import type { AppAccess } from '../stack/apps.js';
import type { RequestAnswer } from './request.js';

/** A decision in which the cloud's own sign-in layer differs from this one, or that its documentation leaves open. */
export interface CloudDifference {
  readonly what: string;
  /** What can be another answer for it: whether the visitor gets in, or only with which status not. Undefined where neither can. */
  readonly decides?: 'access' | 'status';
}

/**
 * Lists how an answer can differ in the cloud, where the hosting service's sign-in layer decides.
 *
 * @param answer to the request for a path; without, what is true of the app as a whole
 */
export function cloudDifferences(app: AppAccess, path?: string, answer?: RequestAnswer): readonly CloudDifference[] {
  const { settings, directory, others, excludedPaths } = app;
  if (settings === undefined) return [];
  const differences: CloudDifference[] = [];
  const add = (what: string, decides?: CloudDifference['decides']): void => void differences.push({ what, ...(decides && { decides }) });
  if (directory !== undefined && answer?.by !== 'path' && answer?.by !== 'action')
    add('conditional access of the directory is not read: it can refuse a sign-in that is allowed here');
  if (others.includes('personal') && answer?.by !== 'path' && answer?.by !== 'action')
    add('the cloud publishes no setting of container apps for personal accounts: whether they can sign in there is not documented');
  if (path !== undefined && answer !== undefined) {
    if (answer.by === 'bad-path' || answer.by === 'own-path')
      add('what the cloud answers to this spelling of a path is not documented', 'access');
    else if (excludedPaths.some((excluded) => excluded !== path && isNear(excluded, path)))
      add(`how the cloud matches ${excludedPaths.join(', ')} beyond exactly these paths is not documented`, 'access');
  } else if (excludedPaths.length > 0)
    add(`the cloud documents no rules for excluded paths: beyond exactly ${excludedPaths.join(', ')} nothing is sure to be public`);
  if (answer === undefined || answer.by === 'challenge') {
    if (settings.preserveFragments)
      add('the cloud keeps the fragment of an address by a page of its own, whose status is not documented', answer && 'status');
    else if (settings.unauthenticated === 'redirect' && settings.redirectTo === undefined && settings.providers.length > 1)
      add('which of several providers the cloud sends a browser to is not documented', answer && 'status');
    if (settings.unauthenticated === 'redirect')
      add('the cloud tells browsers, which it redirects, from programs, which get 401, by their User-Agent');
  }
  return differences;
}

/** Whether a matching rule of any kind could take a path for an excluded one. */
function isNear(excluded: string, path: string): boolean {
  const stem = excluded.replace(/\*.*$/, '').replace(/\/$/, '').toLowerCase();
  return path.toLowerCase().startsWith(stem);
}

/** An answer, with what is uncertain in the cloud left open. */
export function inTheCloud(answer: RequestAnswer, differences: readonly CloudDifference[]): RequestAnswer {
  const decisions = new Set(differences.map(({ decides }) => decides));
  if (decisions.has('access')) return { ...answer, allowed: 'unknown', status: undefined };
  return decisions.has('status') ? { ...answer, status: undefined } : answer;
}
