import { createHash } from 'node:crypto';
import { SectionScope } from './section-scope.js';
import { type Construct, TerraformStack } from './cdktf.js';
import { formerPaths, type MetaArguments } from './meta-arguments.js';

/**
 * The default name of a construct in scopes of the user: its path below the stack, so that a
 * reusable construct has other names each time. Undefined directly in a stack, where the id serves.
 * A construct that was moved keeps the name of its first path.
 *
 * @param longest how many characters a name may have; the end of a longer one is replaced by a hash
 *   of the path.
 */
export function nestedName(
  scope: Construct,
  id: string,
  longest: number,
  meta: MetaArguments = {},
): string | undefined {
  const [former] = formerPaths(meta);
  if (former !== undefined) return joined(former.replace(/^.*:/, '').split('/'), longest);
  const { scopes } = scope.node;
  const inner = scopes
    .slice(scopes.indexOf(TerraformStack.of(scope)) + 1)
    .filter((each) => !(each instanceof SectionScope));
  return inner.length === 0
    ? undefined
    : joined([...inner.map(({ node }) => node.id), id], longest);
}

function joined(ids: readonly string[], longest: number): string {
  const name = ids.join('-');
  if (name.length <= longest) return name;
  const hash = createHash('sha256').update(ids.join('/')).digest('hex').slice(0, 6);
  return `${name.slice(0, longest - hash.length - 1)}-${hash}`;
}

/** {@link nestedName} for names of lower-case letters, digits and hyphens. */
export function nestedResourceName(
  scope: Construct,
  id: string,
  longest: number,
  meta: MetaArguments = {},
): string | undefined {
  return nestedName(scope, id, longest, meta)
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
