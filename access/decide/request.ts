import {
  challengeOf,
  ownerOf,
  parseTarget,
  publicBy,
  Refusal,
} from '../../services/auth-sidecar/settings.js';
import type { AppAccess } from '../stack/apps.js';
import type { SignIn } from './sign-in.js';

/** The result of a browser's request for a page. */
export interface RequestAnswer {
  readonly allowed: boolean | 'unknown';
  /** The status that the browser gets; 200 means that the app answers. Undefined if unknown. */
  readonly status: number | undefined;
  /** The setting that decided. */
  readonly by:
    | 'no-layer'
    | 'bad-path'
    | 'own-path'
    | 'action'
    | 'path'
    | 'session'
    | 'challenge'
    | 'policy'
    | 'unknown';
  /** Why a path is refused. */
  readonly reason?: string;
}

/**
 * The answer to a browser that requests a path, without a session or after the given sign-in.
 *
 * @param signedIn the result of the sign-in; undefined for a visitor who does not sign in.
 */
export function answerOf(
  { settings }: AppAccess,
  path: string,
  signedIn: SignIn | undefined,
): RequestAnswer {
  if (settings === undefined) return { allowed: true, status: 200, by: 'no-layer' };
  try {
    const target = parseTarget(path);
    const owner = ownerOf(target, settings);
    if (owner === 'own') return { allowed: 'unknown', status: undefined, by: 'own-path' };
    if (owner === 'misspelt')
      return {
        allowed: false,
        status: 404,
        by: 'bad-path',
        reason: 'another spelling of a path of the sign-in layer',
      };
    const isPublic = publicBy(target, settings);
    if (isPublic !== undefined) return { allowed: true, status: 200, by: isPublic };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { allowed: false, status: error.status, by: 'bad-path', reason: error.message };
  }
  switch (signedIn?.outcome) {
    case 'in':
      return { allowed: true, status: 200, by: 'session' };
    case 'refused':
      return { allowed: false, status: 403, by: 'policy' };
    case 'unknown':
      return { allowed: 'unknown', status: undefined, by: 'unknown' };
    default:
      return { allowed: false, status: challengeOf(settings, true).status, by: 'challenge' };
  }
}
