import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import type { ActualValues } from '../../../planner/new-state.js';
import type { ValueMap } from '../../../values/value.js';
import { type Context, ProviderFailure } from '../../handler.js';
import { optionalText } from '../../read-values.js';
import { fillTemplate, parseTemplate, type TemplateSources } from './template.js';

/**
 * The path of a resource in the resource manager, by its id or its attributes.
 *
 * @throws ProviderFailure if the resource that it belongs to was not found.
 */
export async function resourcePath(
  { arm: { ids } }: MappedType,
  values: ValueMap,
  context: Context,
): Promise<string> {
  const id = optionalText(values, 'id');
  for (const form of ids) {
    if (form.path === undefined && id?.startsWith('/') === true) return id;
    const path = await fillTemplate(form.path ?? form.id, { ...context, values });
    if (path !== undefined) return path;
  }
  throw new ProviderFailure(
    'the resource that this one belongs to was not found',
    `It would be ${ids.map((form) => formatForMessage(form.path ?? form.id)).join(' or ')}.`,
  );
}

/** The id in the state: the path, or a form of its own. */
export async function stateId(
  { arm: { ids } }: MappedType,
  sources: TemplateSources,
): Promise<string> {
  for (const { id } of ids) {
    const stateIdText = await fillTemplate(id, sources);
    if (stateIdText !== undefined) return stateIdText;
  }
  return sources.path ?? '';
}

/** The attributes that a path contains. */
export function attributesInPath(
  { arm: { ids } }: MappedType,
  path: string,
): Record<string, string> {
  const forms = ids.map((form) => parseTemplate(form.path ?? form.id, path));
  return Object.assign({}, ...forms) as Record<string, string>;
}

/** The state of an import. @throws ProviderFailure for an id of another form. */
export function importedState({ arm: { ids } }: MappedType, id: string): ActualValues {
  for (const form of ids) {
    const values = parseTemplate(form.id, id);
    if (values !== undefined) return { ...values, id };
  }
  throw new ProviderFailure(
    'parsing the ID of the resource to import',
    `Expected the form ${ids.map((form) => formatForMessage(form.id)).join(' or ')}, got ${id}.`,
  );
}

/** A template as a message shows it. */
function formatForMessage(template: string): string {
  return template
    .replace('{group}', '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}')
    .replace(/[|#][^{}]+\}/g, '}');
}
