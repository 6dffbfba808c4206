import { hiddenValuesOfSecretLists, restoreSecretValues } from './generic/hidden-values.js';
import { isGeneratedKey } from './generic/list-actions.js';
import { mergePatch, asObject, nonEmptyText, omit, readObjects } from './json.js';
import type { ResourceKind } from './kind.js';
import type { Json, StoredResource, StoredSecret } from './store.js';

/**
 * The body of a resource after a change (JSON merge patch): tags, and the metadata that DNS records
 * and storage containers have in their place, are replaced; secrets that the change does not name
 * stay.
 */
export function patchedBody(resource: StoredResource, kind: ResourceKind, change: Json): Json {
  const { location, tags, identity, secrets, otherMembers } = resource;
  const hiddenSecrets = secrets.filter((each) => !isGeneratedKey(each));
  const properties = kind.isGeneric
    ? restoreSecretValues(omit(resource.properties, replacedProperties(change)), hiddenSecrets)
    : withSecretValues(resource.properties, secrets);
  const changes = omit(change, ['id', 'name', 'type', 'systemData', 'tags']);
  const mergedBody = {
    ...(mergePatch({ ...otherMembers, location, identity, properties }, changes) as Json),
    ...(change['tags'] === undefined ? { tags } : { tags: change['tags'] }),
  };
  return withUnchangedSecretValues(kind, mergedBody, secrets, hiddenSecrets);
}

function replacedProperties(change: Json): readonly string[] {
  return asObject(change['properties'])?.['metadata'] === undefined ? [] : ['metadata'];
}

type WithConfiguration = { configuration?: Json & { secrets?: readonly Json[] } };

function withSecretValues(properties: Json, secrets: readonly { name: string }[]): Json {
  const { configuration } = properties as WithConfiguration;
  if (configuration === undefined || secrets.length === 0) return properties;
  return { ...properties, configuration: { ...configuration, secrets } };
}

/**
 * A list of secrets in a change replaces the old list; secrets named without a value keep theirs.
 */
function withUnchangedSecretValues(
  kind: ResourceKind,
  body: Json,
  secrets: readonly StoredSecret[],
  hiddenSecrets: readonly StoredSecret[],
): Json {
  if (kind.isGeneric)
    return {
      ...body,
      properties: restoreSecretValues(
        asObject(body['properties']) ?? {},
        hiddenValuesOfSecretLists(hiddenSecrets),
      ),
    };
  if (!kind.type.endsWith('/containerApps')) return body;
  const properties = body['properties'] as WithConfiguration | undefined;
  const entries = properties?.configuration?.secrets;
  if (!Array.isArray(entries)) return body;
  const mergedSecrets = readObjects(entries, 'properties.configuration.secrets').map((entry) =>
    // A value takes the place of a reference to a key vault.
    nonEmptyText(entry['value']) === undefined
      ? { ...secrets.find(({ name }) => name === entry['name']), ...entry }
      : entry,
  );
  return {
    ...body,
    properties: {
      ...properties,
      configuration: { ...properties?.configuration, secrets: mergedSecrets },
    },
  };
}
