import { valueAtPath } from '../../../../kinds/schema/path-steps.js';
import {
  parseResourceId,
  type Resource,
  resourceGroupId,
} from '../../../../clients/resource-manager/index.js';
import type { ValueMap } from '../../../values/value.js';
import type { Context } from '../../handler.js';
import { apiVersionOf } from './api-versions.js';

/** What fills the placeholders of a template. */
export interface TemplateSources extends Context {
  /** The attributes of the resource in the plan or the state. */
  readonly values: ValueMap;
  /** The path of the resource, for `{path}`. */
  readonly path?: string;
  /** The service's answer for the resource, for `{#properties.vaultUri}`. */
  readonly answer?: Resource;
}

const placeholder = /\{([^{}|#>]*)(?:\|([^{}#>]+))?(?:#([^{}>]+))?(?:(>>?)([^{}]+))?\}/g;

/**
 * Fills a template; undefined if a value is missing. A placeholder is
 * - `{name}`: an attribute; `{group}`: the id of the resource group; `{path}`: the path of the
 *   resource, `{path^2}` that of the resource two levels above;
 * - `{name|Microsoft.Storage/storageAccounts}`: the id of the resource of this type and name;
 * - followed by `#properties.x`: this property of the resource with this id; without a name, of
 *   the service's answer;
 * - followed by `>text`: what comes after this text, by `>>text`: after its last occurrence.
 */
export async function fillTemplate(
  template: string,
  sources: TemplateSources,
): Promise<string | undefined> {
  let result = '';
  let end = 0;
  for (const match of template.matchAll(placeholder)) {
    const value = await placeholderValue(match, sources);
    if (value === undefined) return undefined;
    result += template.slice(end, match.index) + value;
    end = match.index + match[0].length;
  }
  return result + template.slice(end);
}

async function placeholderValue(
  match: RegExpExecArray,
  sources: TemplateSources,
): Promise<string | undefined> {
  const [, name = '', type, propertyPath, operator, text = ''] = match;
  const valueOfName = namedValue(name, sources);
  if (valueOfName === undefined && name !== '') return undefined;
  const id = type === undefined ? valueOfName : await idByName(type, valueOfName ?? '', sources);
  const value = propertyPath === undefined ? id : await readProperty(id, propertyPath, sources);
  if (value === undefined || operator === undefined) return value;
  const position = operator === '>' ? value.indexOf(text) : value.lastIndexOf(text);
  return position < 0 ? '' : value.slice(position + text.length);
}

function namedValue(name: string, { values, path, api }: TemplateSources): string | undefined {
  const [, levels] = /^path\^(\d)$/.exec(name) ?? [];
  if (levels !== undefined)
    return path
      ?.split('/')
      .slice(0, -2 * Number(levels))
      .join('/');
  if (name === 'path') return path;
  const value = values[name === 'group' ? 'resource_group_name' : name];
  if (typeof value !== 'string' || value === '') return undefined;
  return name === 'group' ? resourceGroupId(api.identity.subscriptionId, value) : value;
}

async function idByName(
  type: string,
  name: string,
  { api, signal }: Context,
): Promise<string | undefined> {
  const listPath = `/subscriptions/${api.identity.subscriptionId}/providers/${type}`;
  const list = api.resourceManager.resources.list(listPath, apiVersionOf(type), { signal });
  for await (const each of list) if (each.name.toLowerCase() === name.toLowerCase()) return each.id;
  return undefined;
}

async function readProperty(
  id: string | undefined,
  propertyPath: string,
  { answer, api, signal }: TemplateSources,
): Promise<string | undefined> {
  const resource = id === undefined ? answer : await findById(id, api, signal);
  const value = valueAtPath(resource, propertyPath.split('.'));
  return typeof value === 'string' ? value : undefined;
}

function findById(
  id: string,
  { resourceManager }: Context['api'],
  signal: AbortSignal,
): Promise<Resource | undefined> {
  const { namespace = '', segments } = parseResourceId(id);
  const type = [namespace, ...segments.map(([word]) => word)].join('/');
  return resourceManager.resources.find(id, apiVersionOf(type), { signal });
}

/**
 * The attributes with which a template becomes this text; undefined if there are none, or if it has
 * placeholders that cannot be read back from a text.
 */
export function parseTemplate(
  template: string,
  text: string,
): Readonly<Record<string, string>> | undefined {
  if (/\{[^{}]*[|#>^][^{}]*\}/.test(template)) return undefined;
  const names: string[] = [];
  const isPath = template.includes('/');
  const pattern = template.replace(/\{(\w+)\}|[^{}]/g, (part, name?: string) => {
    if (name === undefined) return part.replace(/[\\^$.*+?()[\]|/]/, '\\$&');
    names.push(name === 'group' ? 'resource_group_name' : name);
    if (name === 'group') return '/subscriptions/[^/]+/resourceGroups/([^/]+)';
    if (!isPath) return '(.+?)';
    return name === 'scope' || name.endsWith('_id') ? '(/.+)' : '([^/]+)';
  });
  const values = new RegExp(`^${pattern}$`).exec(text)?.slice(1);
  return values === undefined
    ? undefined
    : Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
