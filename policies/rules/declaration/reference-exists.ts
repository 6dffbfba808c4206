import { didYouMean } from '../../../core/text/nearest.js';
import { defineRule } from '../../engine/rule.js';
import {
  type Declaration,
  type Reference,
  type StackIndex,
  startsWith,
} from '../../engine/stack-index.js';
import type { ReferenceKind } from '../../../kinds/schema/schema-builders.js';
import { isGuid } from '../../../core/values/guid.js';
import { type Section, sections } from '../../../kinds/stack/schema.js';

/** Kinds whose resources may also be referred to by their cloud id. */
const kindsWithIds: ReadonlySet<ReferenceKind> = new Set([
  'principals',
  'groups',
  'workspaces',
  'eventhouses',
]);
const nouns: Readonly<Record<ReferenceKind, string>> = {
  principals: 'principal',
  groups: 'group',
  registrations: 'registration',
  workspaces: 'workspace',
  eventhouses: 'eventhouse',
  eventstreams: 'eventstream',
  containerApps: 'container app',
  environments: 'environment',
  secrets: 'secret',
};

export const referenceExists = defineRule({
  id: 'reference-exists',
  title: 'References name declarations that exist.',
  why: 'A misspelt name would be looked up in the cloud and fail half-way through an apply.',
  severity: 'error',
  source:
    'Directory rules, "Group relationships" (every owner exists); Items rules, paths with workspaceId',
  sections: Object.keys(sections) as Section[],
  scope: 'stack',
  messages: {
    missing: 'there is no {what} "{given}"{hint}',
    // checks of construct trees report these three
    entryOutside:
      '{address} refers to one entry of a forEach ({entry}) and has none itself; give "{name}" the same forEach',
    entryElsewhere:
      '{path} refers to one entry of a forEach ({entry}) and has none itself; take the value of all entries, TerraformIterator.fromResources(construct.resource).pluckProperty(attribute), or give a resource the same forEach',
    createdTwice:
      'a second resource group with the name of {other} is created; give the group itself (resourceGroup: group, not group.name), or its name as existing',
  },
  check(declaration, context) {
    for (const reference of context.index.referencesFrom(declaration)) {
      if (reference.kinds[0] === 'secrets' || isDeclaredOrId(context.index, reference)) continue;
      if (isOfCustomProvider(declaration, reference)) continue;
      if (declaration.unknownPaths.some((path) => startsWith(reference.path, path))) continue;
      const kinds = reference.kinds.filter((kind) => kind !== 'secrets');
      const suggestion = context.index.nearestName(reference.name, kinds);
      const what = reference.kinds.map((kind) => nouns[kind]).join(' or ');
      const hint = didYouMean(suggestion, listDeclared(context.index, kinds));
      const fix = suggestion === undefined ? undefined : { value: suggestion };
      context.report({
        messageId: 'missing',
        path: reference.path,
        parameters: { what, hint },
        fix,
      });
    }
  },
});

/** Whether a required group may be one of a custom provider, which names its groups itself. */
function isOfCustomProvider(
  { section, value }: Declaration,
  { path }: Pick<Reference, 'path'>,
): boolean {
  const [property, setting] = path;
  return (
    section === 'containerApps' &&
    property === 'auth' &&
    setting === 'requirements' &&
    (value as ContainerAppProviders).auth?.providers?.openIdConnect !== undefined
  );
}

interface ContainerAppProviders {
  readonly auth?: { readonly providers?: { readonly openIdConnect?: unknown } };
}

function isDeclaredOrId(index: StackIndex, { name, kinds, mustBeDeclared }: Reference): boolean {
  for (const kind of kinds) if (kind !== 'secrets' && index.has(kind, name)) return true;
  return !mustBeDeclared && kinds.some((kind) => kindsWithIds.has(kind)) && isGuid(name);
}

function listDeclared(index: StackIndex, kinds: readonly Section[]): string {
  const count = kinds.reduce((sum, kind) => sum + index.count(kind), 0);
  if (count === 0) return '; none is declared';
  return count > 10 ? '' : `; declared: ${kinds.flatMap((kind) => index.names(kind)).join(', ')}`;
}
