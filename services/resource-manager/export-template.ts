import { omit, nonEmptyText } from './json.js';
import type { Resources } from './resources.js';
import { kindOf } from './kinds/index.js';
import { type Json, resourceKey, type ResourceStore, type StoredResource } from './store.js';
import { badRequest } from './errors.js';
import { parsePath } from './path.js';

/** Properties that only the service sets, which a template cannot declare. */
const serviceSetMembers = ['id', 'name', 'type', 'systemData', 'etag', 'managedBy'];
/** The api-version in templates for types that accept any. */
const defaultApiVersion = '2025-07-01';
/** Types that other resources create, or that belong to the cloud. */
const notExported = /^microsoft\.(authorization|resources)\/|\/executions$/i;
const templateSchema =
  'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#';

/**
 * A template that declares the resources of a group: all of them, or those that the request names.
 * Names become parameters unless the options turn that off; secrets are left out.
 *
 * @throws ArmError 400 for a resource that isn't in the group.
 */
export async function exportTemplate(
  scope: { readonly subscription: string; readonly group: string },
  body: Json,
  resources: Resources,
  store: ResourceStore,
): Promise<Json> {
  const options = (nonEmptyText(body['options']) ?? '')
    .split(/,\s*/)
    .map((each) => each.toLowerCase());
  const usesLiteralNames =
    options.includes('skipallparameterization') ||
    options.includes('skipresourcenameparameterization');
  const parameters: Record<string, Json> = {};
  const selection = selectResources(
    body['resources'],
    (await store.list(scope)).filter(
      ({ id, type }) => !notExported.test(type) && id.split(/\/providers\//i).length === 2,
    ),
  );
  const parameterNames = new ParameterNames();
  const nameExpression = ({ id, type }: StoredResource): string => {
    const names = namesInId(id);
    if (usesLiteralNames) return names.join('/');
    const [first = '', ...rest] = names;
    const parameter = parameterNames.nameFor(type, first);
    parameters[parameter] = {
      ...(options.includes('includeparameterdefaultvalue') && { defaultValue: first }),
      type: 'String',
    };
    return rest.length === 0
      ? `[parameters('${parameter}')]`
      : `[concat(parameters('${parameter}'), '/${rest.join('/')}')]`;
  };
  // named in the order of the list, whichever is read first
  selection.forEach(nameExpression);
  const declarations = await Promise.all(
    selection.map(async (each) => {
      const path = parsePath(each.id);
      const resource = path?.kind === 'resource' ? await resources.present(path) : {};
      const properties = omit((resource['properties'] ?? {}) as Json, ['provisioningState']);
      const owner = selection.find(({ id }) =>
        each.id.toLowerCase().startsWith(`${resourceKey(id)}/`),
      );
      const dependsOn =
        owner === undefined
          ? {}
          : {
              dependsOn: [
                `[resourceId('${owner.type}', ${expressionArgument(nameExpression(owner))})]`,
              ],
            };
      const versions = kindOf(each.type).apiVersions;
      const apiVersion = versions === 'any' ? defaultApiVersion : versions.at(-1);
      return {
        type: each.type,
        apiVersion,
        name: nameExpression(each),
        ...dependsOn,
        ...omit(resource, serviceSetMembers),
        properties,
      };
    }),
  );
  return {
    template: {
      $schema: templateSchema,
      contentVersion: '1.0.0.0',
      parameters,
      variables: {},
      resources: declarations,
    },
  };
}

/** The parameters for the names of resources: `shops_a_b_name`, `shops_a_b_name_2` for a second. */
class ParameterNames {
  /** Template parameters ignore letter case. */
  readonly #taken = new Set<string>();
  readonly #nameByResource = new Map<string, string>();

  /** @param type of the resource or of one below it. */
  nameFor(type: string, resourceName: string): string {
    const [namespace = '', kind = ''] = type.split('/');
    const key = `${namespace}/${kind}/${resourceName}`.toLowerCase();
    const known = this.#nameByResource.get(key);
    if (known !== undefined) return known;
    const base = `${kind}_${resourceName}_name`.replaceAll(/[^A-Za-z0-9_]/g, '_');
    let name = base;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = `${base}_${count}`;
    this.#taken.add(name.toLowerCase());
    this.#nameByResource.set(key, name);
    return name;
  }
}

function selectResources(
  input: unknown,
  groupResources: readonly StoredResource[],
): readonly StoredResource[] {
  const names = Array.isArray(input) ? input.map((each) => nonEmptyText(each) ?? '') : ['*'];
  if (names.includes('*')) return groupResources;
  const keys = names.map(resourceKey);
  const missing = keys.find((key) => !groupResources.some(({ id }) => resourceKey(id) === key));
  if (missing !== undefined)
    throw badRequest('ResourceNotFound', `The resource '${missing}' is not in the resource group.`);
  return groupResources.filter(({ id }) => keys.includes(resourceKey(id)));
}

/** The names in an id after its last `/providers/`, outermost first. */
function namesInId(id: string): string[] {
  return id
    .slice(id.toLowerCase().lastIndexOf('/providers/'))
    .split('/')
    .filter((_, index) => index >= 4 && index % 2 === 0);
}

function expressionArgument(name: string): string {
  return name.startsWith('[') ? name.slice(1, -1) : `'${name}'`;
}
