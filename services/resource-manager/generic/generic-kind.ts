import { badRequest, invalidContent } from '../errors.js';
import { asObject, omit } from '../json.js';
import type { ResourceKind } from '../kind.js';
import type { StoredResource } from '../store.js';
import { answerStatuses } from './answer-statuses.js';
import { computedProperties } from './computed-properties.js';
import { hideSecretValues } from './hidden-values.js';
import { isGeneratedKey, generateKeys } from './list-actions.js';
import { childListsOf, separateChildren } from './listed-children.js';
import { withSkuTier } from './sku.js';

/** The standard properties of every resource beside `properties`; others are kept as sent. */
const envelopeMembers = [
  'id',
  'name',
  'type',
  'location',
  'tags',
  'identity',
  'systemData',
  'properties',
  'etag',
];

/** Write-only properties of some types. */
const writeOnlyProperties: Readonly<Record<string, readonly string[]>> = {
  'microsoft.app/managedenvironments/certificates': ['value'],
  'microsoft.keyvault/vaults/secrets': ['value'],
};

/** Any other type of resource: stored and returned as sent. */
export function genericKind(type: string): ResourceKind {
  const key = type.toLowerCase();
  return {
    type,
    apiVersions: 'any',
    isGeneric: true,
    ...answerStatuses(type),
    checkName(name) {
      if (name.length > 260 || /[<>%&\\?/#\u0000-\u001f]/.test(name))
        throw badRequest(
          'InvalidResourceName',
          `Resource name '${name}' is invalid: 1 to 260 characters, none of < > % & \\ ? / #.`,
        );
    },
    prepareWrite(body, { previous }) {
      const value = body['properties'];
      if (value !== undefined && value !== null && asObject(value) === undefined)
        throw invalidContent("'properties' is not an object.");
      const { properties, listed } = separateChildren(
        type,
        omit(asObject(value) ?? {}, ['provisioningState']),
      );
      const { properties: visibleProperties, hidden } = hideSecretValues(
        properties,
        writeOnlyProperties[key],
      );
      return {
        properties: visibleProperties,
        setByService: {},
        otherMembers: withSkuTier(type, omit(body, envelopeMembers)),
        secrets: [...(previous?.secrets.filter(isGeneratedKey) ?? generateKeys()), ...hidden],
        listedChildren: listed,
      };
    },
    async presentProperties(resource, context) {
      const parts = await Promise.all(
        childListsOf(type).map(async (name) => {
          const children = await context.store.list({
            type: `${type}/${name}`,
            parent: resource.id,
          });
          return [name, children.map(presentChild)] as const;
        }),
      );
      return {
        ...resource.properties,
        ...Object.fromEntries(parts),
        ...computedProperties(resource, context),
        provisioningState: 'Succeeded',
      };
    },
  };
}

function presentChild({ id, name, type, properties }: StoredResource): Record<string, unknown> {
  return { id, name, type, properties: { ...properties, provisioningState: 'Succeeded' } };
}
