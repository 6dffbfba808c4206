import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../support/cli.js';
import { type Client, clients } from './clients.js';

/** What a test's doc comment claims of the cloud. */
export interface Claim {
  readonly id: string;
  /** A sentence about the cloud that holds of Castellan, too. */
  readonly says: string;
  /** An address of the public documentation, a file of a provider, or what was observed. */
  readonly source?: string;
  /** The unmodified clients that accept the behaviour. */
  readonly seen: readonly Client[];
  /** Why nobody knows: neither documentation nor a client says so. */
  readonly guess?: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly test: string;
}

const folders = ['test/services', 'test/sandbox', 'test/provider'];
const tagNames = ['claim', 'source', 'seen', 'guess'];

/**
 * The claims of all tests, from doc comments like this one:
 *
 *     /**
 *      * @claim groups-delete: DELETE of a group answers 204 and keeps it for 30 days.
 *      * @source https://learn.microsoft.com/graph/api/group-delete
 *      * @seen azuread
 *      *\/
 *     it('deletes a group', …)
 *
 * `@guess why` stands in the place of `@seen` where nobody knows.
 *
 * @throws Error that names the file of a claim beside no test that runs, or with a mistake.
 */
export function readClaims(): readonly Claim[] {
  const claims = folders.flatMap((folder) => filesBelow(folder)).flatMap(claimsOf);
  const duplicates = claims.filter(
    ({ id }, index) => claims.findIndex((other) => other.id === id) !== index,
  );
  if (duplicates.length > 0)
    throw new Error(`${duplicates[0]?.file}: two claims are ${duplicates[0]?.id}`);
  return claims;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|e2e)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function claimsOf(file: string): Claim[] {
  return claimsIn(file, readFileSync(join(root, file), 'utf8'));
}

/** The claims of one file's text. @throws Error as {@link readClaims}. */
export function claimsIn(file: string, text: string): Claim[] {
  const writtenCount = text.match(/^\s*(?:\/\*)?\*+ @claim\b/gm)?.length ?? 0;
  if (writtenCount === 0) return [];
  const claims: Claim[] = [];
  const runsClient = (client: Client): boolean =>
    client.module === undefined || text.includes(`from '${client.module}'`);
  const visit = (node: ts.Node): void => {
    const test = ts.isExpressionStatement(node) ? testOf(node.expression) : undefined;
    if (test !== undefined) claims.push(...claimsBeside(node, file, test));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  if (claims.length !== writtenCount)
    throw new Error(
      `${file}: ${writtenCount} claims are written, but ${claims.length} of them stand beside a test that runs`,
    );
  const claimWithoutRun = claims.find(({ seen }) => !seen.every(runsClient));
  if (claimWithoutRun)
    throw new Error(`${file}, claim "${claimWithoutRun.id}": the file does not run its client`);
  return claims;
}

/** The name of a test: of `it('…')`, `test.each(rows)('…')`; undefined for one that is skipped. */
function testOf(expression: ts.Expression): string | undefined {
  if (!ts.isCallExpression(expression)) return undefined;
  const callee = expression.expression.getText();
  if (!/^(it|test)(\.each\b|\.runIf\b|\.skipIf\b|$)/s.test(callee)) return undefined;
  const [name] = expression.arguments;
  return name !== undefined && ts.isStringLiteralLike(name) ? name.text : undefined;
}

function claimsBeside(node: ts.Node, file: string, test: string): Claim[] {
  const tags = ts.getJSDocTags(node).map((tag) => ({
    name: tag.tagName.text,
    text: (ts.getTextOfJSDocComment(tag.comment) ?? '').replace(/\s+/g, ' ').trim(),
  }));
  const starts = tags.flatMap(({ name }, index) => (name === 'claim' ? [index] : []));
  return starts.map((start, order) =>
    claimOf(tags.slice(start, starts[order + 1] ?? tags.length), file, test),
  );
}

type Tag = { readonly name: string; readonly text: string };

function claimOf(tags: readonly Tag[], file: string, test: string): Claim {
  const fail = (why: string): never => {
    throw new Error(`${file}, claim "${tags[0]?.text}": ${why}`);
  };
  const unknown = tags.find(({ name }) => !tagNames.includes(name));
  if (unknown) fail(`@${unknown.name} is no part of a claim: ${tagNames.join(', ')}`);
  const [, id = '', says = ''] =
    /^([a-z\d-]+): (.+\.)$/.exec(tags[0]?.text ?? '') ?? fail('is not "id: Sentence."');
  const textOf = (name: string): string | undefined => tags.find((tag) => tag.name === name)?.text;
  const [source, guess, seen] = [textOf('source'), textOf('guess'), textOf('seen')];
  const seenClients = (seen?.split(/,\s*/) ?? []).map(
    (name) => clients[name] ?? fail(`${name} is no client of test/docs/parity/clients.ts`),
  );
  if (guess !== undefined && seen !== undefined) fail('what was seen is no guess');
  if (guess === undefined && source === undefined) fail('has no @source, and is no @guess');
  return {
    id,
    says,
    seen: seenClients,
    file,
    test,
    ...(source !== undefined && { source }),
    ...(guess !== undefined && { guess }),
  };
}
