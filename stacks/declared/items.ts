import { isObject } from '../../core/values/is-object.js';
import { Eventstream, type EventstreamDefinition } from '../../constructs/items/eventstream.js';
import type { EventstreamGraph } from '../../constructs/items/eventstream-graph.js';
import { Eventhouse } from '../../constructs/items/eventhouse.js';
import { Workspace } from '../../constructs/items/workspace.js';
import { isGuid } from '../../core/values/guid.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { Declared, StackBuilder } from './stack-builder.js';
import type { DirectoryObjects } from './directory-objects.js';
import type { DeclaredSection } from './declared-section.js';

type DeclaredDefinition = NonNullable<Declared<'eventstreams'>['definition']>;

/** Creates the workspaces of a stack and their items. */
export function declareItems(stack: StackBuilder, directory: DirectoryObjects): void {
  const workspaces = stack.section('workspaces', (scope, name, { roles, ...props }) => {
    const assignments = roles?.map(({ principal, role }) => ({
      role,
      principal: directory.grantee(principal, `workspaces.${name}`),
    }));
    return new Workspace(scope, name, { ...props, roles: assignments });
  });
  const eventhouses = stack.section('eventhouses', (scope, name, { workspace, ...props }) => {
    return new Eventhouse(scope, name, {
      ...props,
      workspace: byNameOrId(workspaces, workspace, `eventhouses.${name}`),
    });
  });
  const eventstreams = stack.section(
    'eventstreams',
    (scope, name, { workspace, definition, ...props }) => {
      const usedBy = `eventstreams.${name}`;
      return new Eventstream(scope, name, {
        ...props,
        workspace: byNameOrId(workspaces, workspace, usedBy),
        definition:
          definition === undefined
            ? undefined
            : resolveReferences(definition, stack, eventhouses, usedBy),
      });
    },
  );
  for (const section of [workspaces, eventhouses, eventstreams]) section.createAll();
}

/** A declaration by its name; an id refers to an existing object. */
function byNameOrId<Thing>(
  section: DeclaredSection<Thing>,
  name: string,
  usedBy: string,
): Thing | string {
  return section.has(name) || !isGuid(name) ? section.get(name, usedBy) : name;
}

/** A definition with its eventhouses as constructs, and an absolute path of its file. */
function resolveReferences(
  definition: DeclaredDefinition,
  stack: StackBuilder,
  eventhouses: DeclaredSection<Eventhouse>,
  usedBy: string,
): EventstreamDefinition {
  // an unchecked configuration may have another value here, which the construct refuses
  if (!isObject(definition)) return definition;
  const { destinations, file, ...rest } = definition;
  const resolvedDestinations = destinations?.map(({ eventhouse, ...node }) =>
    eventhouse === undefined
      ? node
      : { ...node, eventhouse: byNameOrId(eventhouses, eventhouse, usedBy) },
  );
  // the configuration types nodes loosely; the check has validated them
  const nodes = {
    ...rest,
    ...omitUndefined({ destinations: resolvedDestinations }),
  } as EventstreamGraph;
  return { ...nodes, ...(file !== undefined && { file: stack.resolvePath(file) }) };
}
