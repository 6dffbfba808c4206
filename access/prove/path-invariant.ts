import { canonicalPathOf } from '../../kinds/auth/path-pattern.js';
import { parseTarget, requirementsOf } from '../../services/auth-sidecar/access-decisions.js';
import { outsideAccessOf } from '../answer/outside-access.js';
import { publicPaths, requestPathOf } from '../decide/public-paths.js';
import type { AppAccess } from '../stack/apps.js';
import { publicPathWithin } from './app-paths.js';
import type { ProofExample } from './proof.js';

/** How an invariant fails; undefined where it holds. */
export interface InvariantViolation {
  /** `unknown`: it can't be proved, and nobody is known for whom it fails. */
  readonly verdict: 'fail' | 'unknown';
  readonly message: string;
  /** For the person of the example, the rules, groups and decisions that lead there, as text. */
  readonly chain?: string;
  /** Somebody for whom it does not hold. */
  readonly example?: ProofExample;
}

/** Judges whether a browser without a session reaches a path, or one below it. */
export function checkPrivatePath(app: AppAccess, path: string): InvariantViolation | undefined {
  const publicPath = publicPathWithin(app, path);
  if (publicPath === undefined) return undefined;
  return {
    verdict: 'fail',
    message: `a browser without a session reaches ${publicPath} of ${app.name}`,
    example: { attributes: {}, path: publicPath },
  };
}

/** Judges whether a path, and all below it, asks for one of these authentication contexts. */
export function checkRequiredContexts(
  app: AppAccess,
  path: string,
  acrValues: readonly string[],
): InvariantViolation | undefined {
  const violation = checkPrivatePath(app, path);
  if (violation !== undefined) return violation;
  const requirements = app.settings?.requirements ?? [];
  const stem = canonicalPathOf(path);
  const below = requirements
    .filter(({ canonicalPath }) => canonicalPath.startsWith(`${stem}/`))
    .map((each) => each.path);
  const weakPath = [path, ...below].find((each) => {
    const requirementsOfPath = requirementsOf(parseTarget(requestPathOf(each)), requirements);
    const isStrong = requirementsOfPath.some(
      (requirement) =>
        requirement.acrValues.length > 0 &&
        requirement.acrValues.every((acr) => acrValues.includes(acr)),
    );
    return !isStrong;
  });
  return weakPath === undefined
    ? undefined
    : {
        verdict: 'fail',
        message: `${weakPath} of ${app.name} does not ask for ${acrValues.join(' or ')}`,
        example: { attributes: {}, path: weakPath },
      };
}

/**
 * Judges whether accounts of other providers, which no membership rule selects, get into an app, or
 * to a path of it.
 */
export function checkOutsideAccounts(
  app: AppAccess,
  path?: string,
): InvariantViolation | undefined {
  if (path === undefined && publicPaths(app).includes('/*'))
    return {
      verdict: 'fail',
      message: `${app.name} lets in a browser without a session`,
      example: { attributes: {}, path: '/' },
    };
  // the proof assumes what a foreign tenant's directory says, so the directory is left out here
  const entries = outsideAccessOf(app).filter((each) => each.provider !== 'directory');
  const entry = entries.find((each) => !each.isLimited) ?? entries[0];
  if (entry === undefined) return undefined;
  const { provider, who } = entry;
  const required = requirementsOf(
    parseTarget(requestPathOf(path ?? '/')),
    app.settings?.requirements ?? [],
  );
  const isLimitedByPath = required.some(
    ({ groups, claims, emailDomains }) =>
      groups.length + Object.keys(claims).length + emailDomains.length > 0,
  );
  if (isLimitedByPath || entry.isLimited)
    return {
      verdict: 'unknown',
      message: `whether ${who} has what ${isLimitedByPath ? `${path ?? '/'} of ${app.name}` : app.name} requires is not known`,
    };
  return {
    verdict: 'fail',
    message: `${app.name} lets in ${who}`,
    example: { attributes: { provider } },
  };
}
