import { createHash } from 'node:crypto';
import { Section } from './section.js';
import { type Construct, TerraformStack } from './cdktf.js';

/**
 * The default name of a construct in scopes of the user: its path below the stack, so that a
 * reusable construct has other names each time. Undefined directly in a stack, where the id serves.
 *
 * @param longest how many characters a name may have; the end of a longer one is replaced by a hash
 *   of the path.
 */
export function nestedName(scope: Construct, id: string, longest: number): string | undefined {
  const { scopes } = scope.node;
  const inner = scopes
    .slice(scopes.indexOf(TerraformStack.of(scope)) + 1)
    .filter((each) => !(each instanceof Section));
  if (inner.length === 0) return undefined;
  const ids = [...inner.map(({ node }) => node.id), id];
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
): string | undefined {
  return nestedName(scope, id, longest)
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
