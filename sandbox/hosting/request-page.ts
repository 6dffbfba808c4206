import { type Dialect, inDialect, dialectWords } from '../../core/dialect/dialect.js';
import { isObject } from '../../core/values/is-object.js';
import { html, type Html, page } from '../html.js';

/** A request as an app receives it. */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The content of the built-in page. */
export interface RequestPageOptions {
  /** The app's name. */
  readonly app: string;
  /** Why the app itself is not running. */
  readonly reason: string;
  /** That of the headers that say who is signed in. */
  readonly dialect: Dialect;
  /** The path below which the app's sign-in layer answers; undefined if it has none. */
  readonly signInPrefix: string | undefined;
  readonly request: ReceivedRequest;
  /** The names of groups by object id, since tokens contain only ids. */
  readonly groupNames?: ReadonlyMap<string, string>;
}

/** Headers whose values would let others act as the signed-in person. */
export const secretHeader = /^(cookie|authorization)$|-token-(?!.*-expires-on$)|-auth$/i;

/** The page for a request: who is signed in, their claims, and every header. */
export function requestPage({
  app,
  reason,
  dialect,
  signInPrefix,
  request,
  groupNames = new Map(),
}: RequestPageOptions): string {
  const headerOf = (name: string): string | undefined =>
    request.headers.find(([each]) => isSame(each, name))?.[1];
  const name = headerOf(inDialect(dialectWords.clientPrincipalName, dialect));
  const principalHeader = inDialect(dialectWords.clientPrincipal, dialect);
  const claims = claimsOf(headerOf(principalHeader));
  const [prefix, otherPrefix] =
    dialect === 'azure' ? (['X-MS', 'X-SVC'] as const) : (['X-SVC', 'X-MS'] as const);
  const isIdentityHeader = ([each]: readonly [string, string]): boolean =>
    each.toLowerCase().startsWith(`${prefix.toLowerCase()}-`);
  const identityHeaders = request.headers.filter(isIdentityHeader);
  const otherHeaders = request.headers.filter((header) => !isIdentityHeader(header));
  return page(
    app,
    html`<h1>${app}</h1>
      ${whoIsSignedIn(name, signInPrefix !== undefined)}${signInLinks(name, signInPrefix, request.path)}
      <p class="note">${reason} The app would get this:</p>
      <p><code>${request.method} ${request.path}</code></p>
      ${
        identityHeaders.length > 0 &&
        html`<h2>Who it is</h2>
          <table>
            ${identityHeaders.map((header) =>
              isSame(header[0], principalHeader) && claims.length > 0
                ? principalRow(header, claims, groupNames)
                : headerRow(header),
            )}
          </table>
          <p class="hint">
            These names are of the dialect ${prefix}.
            <code>dialect: ${otherDialect(dialect)}</code> at the top of castellan.yaml switches to
            ${otherPrefix}.
          </p>`
      }
      <h2>${identityHeaders.length > 0 ? 'All other headers' : 'Headers'}</h2>
      <table>
        ${otherHeaders.map(headerRow)}
      </table>`,
    { wide: true },
  );
}

function otherDialect(dialect: Dialect): Dialect {
  return dialect === 'azure' ? 'neutral' : 'azure';
}

function whoIsSignedIn(name: string | undefined, hasAuth: boolean): Html {
  return name === undefined
    ? html`<p>No one is signed in${hasAuth ? '' : ': this app declares no sign-in'}.</p>`
    : html`<p>Signed in as <strong id="name">${name}</strong>.</p>`;
}

function signInLinks(
  name: string | undefined,
  prefix: string | undefined,
  path: string,
): Html | string {
  if (prefix === undefined) return '';
  if (name !== undefined)
    return html`<a class="button" href="${prefix}/logout">Sign out</a
      ><a class="button quiet" href="${prefix}/me">${prefix}/me</a>`;
  const target = encodeURIComponent(path);
  return html`<a class="button" href="${prefix}/login?post_login_redirect_uri=${target}"
    >Sign in</a
  >`;
}

function headerRow([name, value]: readonly [string, string]): Html {
  const isSecret = secretHeader.test(name);
  return row(name, isSecret ? `${value.length} characters, not shown` : readableHeader(value));
}

/** The header with all claims: as a table, with the header itself folded below. */
function principalRow(
  [name, value]: readonly [string, string],
  claims: readonly Claim[],
  groupNames: ReadonlyMap<string, string>,
): Html {
  return html`<tr>
    <th scope="row">${name}<span class="gloss">decoded</span></th>
    <td>
      <table class="claims">
        ${claims.map(({ typ, val }) => row(typ, readableClaim(typ, val, groupNames)))}
      </table>
      <details>
        <summary>As sent, in Base64: ${value.length} characters</summary>
        <code>${value}</code>
      </details>
    </td>
  </tr>`;
}

function row(name: string, value: string | Html): Html {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${value}</td>
  </tr>`;
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** Claims in seconds since 1970 (RFC 7519, section 4.1, and OpenID Connect's `auth_time`). */
const timeClaims = new Set(['exp', 'iat', 'nbf', 'auth_time']);

/** The value of a claim for people: times as dates, groups with their names. */
function readableClaim(
  type: string,
  value: string,
  groupNames: ReadonlyMap<string, string>,
): string | Html {
  if (timeClaims.has(type) && /^\d{1,12}$/.test(value))
    return withGloss(utcText(new Date(Number(value) * 1000)), value);
  const name = type === 'groups' ? groupNames.get(value) : undefined;
  return name === undefined ? value : withGloss(name, value);
}

/** The value of a header for people: a time in ISO 8601 as a date, any other as it is. */
function readableHeader(value: string): string {
  const date = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? value : utcText(date);
}

const utcFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

function utcText(date: Date): string {
  return `${utcFormat.format(date)} UTC`;
}

/** A text with its original value beside it. */
function withGloss(text: string, gloss: string): Html {
  return html`${text}<span class="gloss">${gloss}</span>`;
}

/** The object ids of groups among the claims of a request. */
export function groupIdsOf({ headers }: ReceivedRequest, dialect: Dialect): readonly string[] {
  const name = inDialect(dialectWords.clientPrincipal, dialect);
  const claims = claimsOf(headers.find(([each]) => isSame(each, name))?.[1]);
  return claims.filter(({ typ }) => typ === 'groups').map(({ val }) => val);
}

/** A claim in the header of the client principal, with its names there. */
interface Claim {
  readonly typ: string;
  readonly val: string;
}

function claimsOf(principal: string | undefined): readonly Claim[] {
  if (principal === undefined) return [];
  try {
    const { claims } = JSON.parse(Buffer.from(principal, 'base64').toString('utf8')) as {
      claims?: unknown;
    };
    return Array.isArray(claims) ? claims.filter(isClaim) : [];
  } catch {
    return []; // not written by the sign-in layer: the header itself is shown
  }
}

function isClaim(value: unknown): value is Claim {
  return isObject(value) && typeof value['typ'] === 'string' && typeof value['val'] === 'string';
}
