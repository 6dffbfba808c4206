import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { AppAccess } from '../stack/apps.js';
import type { RequestAnswer } from './request-answer.js';

/**
 * A decision that differs in the cloud's own sign-in layer, or that its documentation does not
 * define.
 */
export interface CloudDifference {
  /** The difference as a sentence. */
  readonly what: string;
  /**
   * What may differ: whether the visitor gets in, or only the status of the refusal. Undefined if
   * neither can.
   */
  readonly decides?: 'access' | 'status';
}

/**
 * Lists how a decision may differ if the cloud's own sign-in layer makes it.
 *
 * @param answer the answer for a path; absent for the app as a whole
 */
export function cloudDifferences(
  app: AppAccess,
  path?: string,
  answer?: RequestAnswer,
): readonly CloudDifference[] {
  const { settings, directorySignIn, otherProviders, excludedPaths } = app;
  if (settings === undefined) return [];
  const differences: CloudDifference[] = [];
  const add = (what: string, decides?: CloudDifference['decides']): void =>
    void differences.push({ what, ...omitUndefined({ decides }) });
  if (
    directorySignIn !== undefined &&
    answer?.decidedBy !== 'path' &&
    answer?.decidedBy !== 'action'
  )
    add(
      'conditional access of the directory is not read: it can refuse a sign-in that is allowed here',
    );
  if (
    otherProviders.includes('personal') &&
    answer?.decidedBy !== 'path' &&
    answer?.decidedBy !== 'action'
  )
    add(
      'the cloud publishes no setting of container apps for personal accounts: whether they can sign in there is not documented',
    );
  const isLetIn =
    answer?.decidedBy === 'requirement' ||
    (answer?.decidedBy === 'challenge' && settings.unauthenticated === 'anonymous');
  if (settings.requirements.length > 0 && (answer === undefined || isLetIn))
    add(
      "the cloud's layer has no requirements by path: whom it lets in gets to every path",
      answer && 'access',
    );
  if (path !== undefined && answer !== undefined) {
    if (answer.decidedBy === 'bad-path' || answer.decidedBy === 'own-path')
      add('what the cloud answers to this spelling of a path is not documented', 'access');
    else if (excludedPaths.some((excluded) => excluded !== path && mayExclude(excluded, path)))
      add(
        `how the cloud matches ${excludedPaths.join(', ')} beyond exactly these paths is not documented`,
        'access',
      );
  } else if (excludedPaths.length > 0)
    add(
      `the cloud documents no rules for excluded paths: beyond exactly ${excludedPaths.join(', ')} nothing is sure to be public, for example ${undocumentedPath(excludedPaths)}`,
    );
  if (answer === undefined || answer.decidedBy === 'challenge') {
    if (settings.preserveFragments)
      add(
        'the cloud keeps the fragment of an address by a page of its own, whose status is not documented',
        answer && 'status',
      );
    else if (
      settings.unauthenticated === 'redirect' &&
      settings.redirectToProvider === undefined &&
      settings.providers.length > 1
    )
      add(
        'which of several providers the cloud sends a browser to is not documented',
        answer && 'status',
      );
    if (settings.unauthenticated === 'redirect')
      add(
        'the cloud tells browsers, which it redirects, from programs, which get 401, by their User-Agent',
      );
  }
  return differences;
}

/** A path of which the cloud does not document whether it is public. */
export function undocumentedPath([first = '/']: readonly string[]): string {
  return `${first.replace(/[/*]+$/, '')}/a`;
}

/** Whether a matching rule of any kind could treat a path as excluded. */
function mayExclude(excluded: string, path: string): boolean {
  const stem = excluded.replace(/\*.*$/, '').replace(/\/$/, '').toLowerCase();
  return path.toLowerCase().startsWith(stem);
}

/** An answer in which uncertain parts in the cloud are unknown. */
export function withCloudUncertainty(
  answer: RequestAnswer,
  differences: readonly CloudDifference[],
): RequestAnswer {
  const decisions = new Set(differences.map(({ decides }) => decides));
  if (decisions.has('access')) return { ...answer, allowed: 'unknown', status: undefined };
  return decisions.has('status') ? { ...answer, status: undefined } : answer;
}
