import { createHash } from 'node:crypto';
import { SectionScope } from './section-scope.js';
import { type Construct, TerraformStack } from './cdktf.js';
import { formerPaths, type MetaArguments } from './meta-arguments.js';

/**
 * The default name of a construct inside another one: its path below the stack, so that each use of
 * a reusable construct has names of its own. Undefined directly in a stack, where the id is the
 * default name. A construct that was moved keeps the name of its first path.
 *
 * @param maxLength how many characters a name may have; the end of a longer one is replaced by a
 *   hash of the path.
 */
export function nestedName(
  scope: Construct,
  id: string,
  maxLength: number,
  meta: MetaArguments = {},
): string | undefined {
  const [formerPath] = formerPaths(meta);
  if (formerPath !== undefined)
    return joinIds(formerPath.replace(/^.*:/, '').split('/'), maxLength);
  const { scopes } = scope.node;
  const innerScopes = scopes
    .slice(scopes.indexOf(TerraformStack.of(scope)) + 1)
    .filter((each) => !(each instanceof SectionScope));
  return innerScopes.length === 0
    ? undefined
    : joinIds([...innerScopes.map(({ node }) => node.id), id], maxLength);
}

const hashLength = 6;

function joinIds(ids: readonly string[], maxLength: number): string {
  const name = ids.join('-');
  if (name.length <= maxLength) return name;
  const hash = createHash('sha256').update(ids.join('/')).digest('hex').slice(0, hashLength);
  return `${name.slice(0, maxLength - hash.length - 1)}-${hash}`;
}

/** {@link nestedName} for names of lower-case letters, digits and hyphens. */
export function nestedResourceName(
  scope: Construct,
  id: string,
  maxLength: number,
  meta: MetaArguments = {},
): string | undefined {
  return nestedName(scope, id, maxLength, meta)
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
