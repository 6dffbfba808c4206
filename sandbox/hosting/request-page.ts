import { type Dialect, inDialect, dialectWords } from '../../core/dialect/dialect.js';
import { html, type Html, page } from '../html.js';

/** A request in the form of an app. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The content of the built-in page. */
export interface RequestPageOptions {
  readonly app: string;
  /** Why the app itself is not running. */
  readonly why: string;
  readonly dialect: Dialect;
  readonly auth: boolean;
  readonly request: ReceivedRequest;
  /** The names of groups by object id, since tokens contain only ids. */
  readonly groupNames?: ReadonlyMap<string, string>;
}

/** Headers whose values would let others act as the signed-in person. */
export const secretHeader = /^(cookie|authorization)$|-token-|-auth$/i;

/** The page for a request: who is signed in, their claims, and every header. */
export function requestPage({
  app,
  why,
  dialect,
  auth,
  request,
  groupNames = new Map(),
}: RequestPageOptions): string {
  const value = (name: string): string | undefined =>
    request.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  const name = value(inDialect(dialectWords.clientPrincipalName, dialect));
  const claims = claimsOf(value(inDialect(dialectWords.clientPrincipal, dialect)));
  const prefix = dialect === 'azure' ? 'x-ms-' : 'x-svc-';
  const isIdentity = (each: string): boolean => each.toLowerCase().startsWith(prefix);
  const sorted = [
    ...request.headers.filter(([each]) => isIdentity(each)),
    ...request.headers.filter(([each]) => !isIdentity(each)),
  ];
  const rows = sorted.map(([each, text]) =>
    row(
      each,
      secretHeader.test(each) ? `${text.length} characters, not shown` : text,
      isIdentity(each),
    ),
  );
  const who =
    name === undefined
      ? html`<p>No one is signed in${auth ? '' : ': this app declares no sign-in'}.</p>`
      : html`<p>Signed in as <strong id="name">${name}</strong>.</p>`;
  const links = !auth
    ? ''
    : name === undefined
      ? html`<a
          class="button"
          href="/.auth/login?post_login_redirect_uri=${encodeURIComponent(request.path)}"
          >Sign in</a
        >`
      : html`<a class="button" href="/.auth/logout">Sign out</a
          ><a class="button quiet" href="/.auth/me">/.auth/me</a>`;
  const claimRows = claims.map(({ typ, val }) => row(typ, readable(typ, val, groupNames), false));
  return page(
    app,
    html`<h1>${app}</h1>
      ${who}${links}
      <p class="note">
        ${why} Headers are in the dialect ${dialect === 'azure' ? 'X-MS' : 'X-SVC'}:
        <code>dialect: ${dialect === 'azure' ? 'neutral' : 'azure'}</code> in castellan.yaml
        switches to ${dialect === 'azure' ? 'X-SVC' : 'X-MS'}.
      </p>
      <h2>Request</h2>
      <p><code>${request.method} ${request.path}</code></p>
      ${
        claims.length === 0
          ? ''
          : html`<h2>Claims</h2>
              <table>
                ${claimRows}
              </table>`
      }
      <h2>Headers</h2>
      <table>
        ${rows}
      </table>`,
    { wide: true },
  );
}

function row(name: string, value: string, isMarked: boolean): Html {
  return html`<tr${isMarked ? html` class="identity"` : ''}><th scope="row">${name}</th><td>${value}</td></tr>`;
}

/** Claims in seconds since 1970 (RFC 7519, section 4.1, and OpenID Connect's `auth_time`). */
const times = new Set(['exp', 'iat', 'nbf', 'auth_time']);

/** A claim for people: readable times, groups with their names. */
function readable(type: string, value: string, groupNames: ReadonlyMap<string, string>): string {
  if (times.has(type) && /^\d{1,12}$/.test(value))
    return `${new Date(Number(value) * 1000).toISOString()} (${value})`;
  const name = type === 'groups' ? groupNames.get(value) : undefined;
  return name === undefined ? value : `${name} (${value})`;
}

/** The object ids of groups among the claims of a request. */
export function groupsOf({ headers }: ReceivedRequest, dialect: Dialect): readonly string[] {
  const name = inDialect(dialectWords.clientPrincipal, dialect).toLowerCase();
  const claims = claimsOf(headers.find(([each]) => each.toLowerCase() === name)?.[1]);
  return claims.filter(({ typ }) => typ === 'groups').map(({ val }) => val);
}

function claimsOf(principal: string | undefined): { typ: string; val: string }[] {
  if (principal === undefined) return [];
  try {
    const { claims } = JSON.parse(Buffer.from(principal, 'base64').toString('utf8')) as {
      claims?: { typ: string; val: string }[];
    };
    return claims ?? [];
  } catch {
    return []; // not written by the sign-in layer: the header itself is shown below
  }
}
