import { notServedByBilling } from '../../../services/billing/not-served.js';
import { notServedAnchor, type UnservedFeature } from '../../../services/common/not-served.js';
import { notServedByDirectory } from '../../../services/directory/http/not-served.js';
import { notServedByItems } from '../../../services/items/http/not-served.js';
import { notServedByResourceManager } from '../../../services/resource-manager/not-served.js';
import type { Claim } from './claims.js';

/** The parts of the page, by the folders of the tests that hold their claims. */
const parts = [
  ['Directory', 'test/services/directory/'],
  ['Workspaces and items', 'test/services/items/'],
  ['Resource manager', 'test/services/resource-manager/'],
  ['Billing', 'test/services/billing/'],
  ['Identity provider', 'test/sandbox/identity-provider/'],
  ['Sign-in layer', 'test/services/auth-sidecar/'],
  ['Everything together', ''],
] as const;

const notServed: readonly (readonly [string, readonly UnservedFeature[]])[] = [
  ['Directory', notServedByDirectory],
  ['Workspaces and items', notServedByItems],
  ['Resource manager', notServedByResourceManager],
  ['Billing', notServedByBilling],
];

const evidenceKinds = [
  ['an unmodified client runs in the test', (claim: Claim) => rank(claim) === 0],
  ['an unmodified client ran against it', (claim: Claim) => rank(claim) === 1],
  ['stated by a source, seen with no client', (claim: Claim) => rank(claim) === 2],
  ['guess', (claim: Claim) => rank(claim) === 3],
] as const;

function rank({ seen, guess }: Claim): number {
  if (seen.some(({ ranOn }) => ranOn === undefined)) return 0;
  if (seen.length > 0) return 1;
  return guess === undefined ? 2 : 3;
}

/** docs/reference/parity.md. */
export function parityPage(claims: readonly Claim[]): string {
  const partOf = ({ file }: Claim): string =>
    parts.find(([, folder]) => file.startsWith(folder))?.[0] ?? '';
  const sections = parts
    .map(([title]) => [title, claims.filter((claim) => partOf(claim) === title)] as const)
    .filter(([, partClaims]) => partClaims.length > 0);
  const row = (title: string, rowClaims: readonly Claim[]): string =>
    `| ${[title, String(rowClaims.length), ...evidenceKinds.map(([, isOfKind]) => String(rowClaims.filter(isOfKind).length))].join(' | ')} |`;
  return `# What is equal to the cloud

What Castellan's services claim to do as the cloud does, where that is known from, whether a client that nobody changed for Castellan was
content with it, and the test that holds it. The page is written from doc comments in the tests (\`@claim\`, \`@source\`, \`@seen\`, \`@guess\`),
so there is no claim without a test; the tests have many more rules that no claim here names yet. [Unmodified clients](clients.md) lists the calls
that the cloud's SDKs for JavaScript and Python make against a sandbox every night.

| | claims | ${evidenceKinds.map(([title]) => title).join(' | ')} |
|---|---|---|---|---|---|
${sections.map(([title, partClaims]) => row(title, partClaims)).join('\n')}
${row('**All**', claims)}

Clients with a date ran against a sandbox on that day, by hand: their tests send what they sent. The others run in the test itself, at the
version of \`package-lock.json\`. In the dialect \`neutral\` the names differ (\`X-SVC-…\`, \`svc.directory\`), the behaviour does not unless a claim says so.

${sections.map(([title, partClaims]) => `## ${title}\n\n${table(partClaims)}`).join('\n\n')}

## Not served

A request for one of these is answered by 501, code \`NotImplemented\`, with a link to its line here. What the cloud has not either is 404.

| not served | for instance | instead |
|---|---|---|
${notServed.flatMap(([, list]) => list.map(notServedRow)).join('\n')}
`;
}

function table(claims: readonly Claim[]): string {
  const ordered = [...claims].sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id));
  return `| claim | source | seen with | test |\n|---|---|---|---|\n${ordered.map(claimRow).join('\n')}`;
}

function claimRow(claim: Claim): string {
  const { id, says, source, seen, guess, file, test } = claim;
  const seenText =
    guess === undefined
      ? seen
          .map(({ name, version, ranOn }) => `${name} ${version}${ranOn ? `, ${ranOn}` : ''}`)
          .join('; ') || 'none'
      : `**guess**: ${guess}`;
  return `| <a id="${id}"></a>${cell(says)} | ${source === undefined ? '' : link(source)} | ${cell(seenText)} | [${file.split('/').at(-1)}](../../${file}) › ${cell(test)} |`;
}

/** An address as a link by its last words, any other source as it is. */
function link(source: string): string {
  if (!source.startsWith('https://')) return cell(source);
  const { hostname, pathname } = new URL(source);
  const site = hostname === 'learn.microsoft.com' ? '' : `${hostname} `;
  return `[${site}${pathname.split('/').filter(Boolean).slice(-2).join('/')}](${source})`;
}

const notServedRow = ({ id, feature, example, alternative }: UnservedFeature): string =>
  `| <a id="${notServedAnchor(id)}"></a>${cell(feature)} | \`${example.replace(/[\da-f]{8}-0000-4000-8000-[\da-f]{12}/g, '{id}')}\` | ${cell(alternative)} |`;

/** Text in a cell: no bars, no tags, no braces that the site would evaluate. */
const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{{', '{ {');
