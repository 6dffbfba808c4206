import { badRequest, unreadable } from '../errors.js';
import { objectOf, omit } from '../json.js';
import type { ResourceKind } from '../kind.js';
import type { StoredResource } from '../store.js';
import { computedProperties } from './computed.js';
import { hideValues } from './hidden-values.js';
import { isKey, newKeys } from './list-actions.js';
import { partsOf, takeParts } from './parts.js';

/** What every resource says beside its properties; anything else that is there is kept as it was sent. */
const envelope = ['id', 'name', 'type', 'location', 'tags', 'identity', 'systemData', 'properties', 'etag'];

/** Types whose interface answers 200 to a PUT that creates. */
const answeringOk = new Set([
  'microsoft.app/managedenvironments/certificates',
  'microsoft.app/managedenvironments/daprcomponents',
  'microsoft.app/managedenvironments/storages',
  'microsoft.insights/diagnosticsettings',
  'microsoft.operationalinsights/workspaces/tables',
  'microsoft.storage/storageaccounts',
]);

/** Write-only properties of single types. */
const writeOnly: Readonly<Record<string, readonly string[]>> = { 'microsoft.app/managedenvironments/certificates': ['value'] };

/** Any other type of resource: kept as it is sent, given back as it is kept. */
export function genericKind(type: string): ResourceKind {
  const key = type.toLowerCase();
  return {
    type,
    apiVersions: 'any',
    generic: true,
    ...(answeringOk.has(key) ? { createdStatus: 200 as const } : {}),
    checkName(name) {
      if (name.length > 260 || /[<>%&\\?/#\u0000-\u001f]/.test(name))
        throw badRequest('InvalidResourceName', `Resource name '${name}' is invalid: 1 to 260 characters, none of < > % & \\ ? / #.`);
    },
    declare(body, { previous }) {
      const given = body['properties'];
      if (given !== undefined && given !== null && objectOf(given) === undefined) throw unreadable("'properties' is not an object.");
      const { properties, listed } = takeParts(type, omit(objectOf(given) ?? {}, ['provisioningState']));
      const visible = hideValues(properties, writeOnly[key]);
      return {
        properties: visible.properties,
        decided: {},
        rest: omit(body, envelope),
        secrets: [...(previous?.secrets.filter(isKey) ?? newKeys()), ...visible.hidden],
        parts: listed,
      };
    },
    async present(resource, context) {
      const shown = await Promise.all(
        partsOf(type).map(async (name) => {
          const children = await context.store.list({ type: `${type}/${name}`, parent: resource.id });
          return [name, children.map(partOf)] as const;
        }),
      );
      return {
        ...resource.properties,
        ...Object.fromEntries(shown),
        ...computedProperties(resource, context),
        provisioningState: 'Succeeded',
      };
    },
  };
}

function partOf({ id, name, type, properties }: StoredResource): Record<string, unknown> {
  return { id, name, type, properties: { ...properties, provisioningState: 'Succeeded' } };
}

/** Resources that are there as soon as their parent is, until they are written themselves. */
const withTheirParent = [/^microsoft\.storage\/storageaccounts\/(blob|file|queue|table)services\/default$/];

/** Whether a resource needs no creation. */
export function comesWithParent(type: string, name: string): boolean {
  const key = `${type}/${name}`.toLowerCase();
  return withTheirParent.some((pattern) => pattern.test(key));
}
