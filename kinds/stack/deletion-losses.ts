import { eventhouse } from '../eventhouse/eventhouse.js';
import { group } from '../group/group.js';
import { registration } from '../registration/registration.js';
import { metadataOf } from '../schema/property-metadata.js';
import { attributesInResource } from '../schema/mapping.js';
import { workspace } from '../workspace/workspace.js';

const kindsWithLoss = [group, registration, workspace, eventhouse];
/** The losses of resource types that no kind describes. */
const lossOfOtherTypes: Readonly<Record<string, string>> = {
  fabric_kql_database: 'every row of the database',
};

/**
 * What is lost permanently when a resource is deleted or replaced; undefined if it can be created
 * again.
 *
 * @param attributes the attributes that force the replacement:
 *   `configuration.minimum_consumption_units`.
 */
export function deletionLossOf(
  type: string,
  attributes: readonly string[] = [],
): string | undefined {
  const kind = kindsWithLoss.find(({ terraform }) => terraform.resourceTypes.includes(type));
  if (kind?.deletionLoses === undefined) return lossOfOtherTypes[type];
  const replacedPlaces = attributesInResource(kind, type).filter(({ attribute }) =>
    attributes.includes(attribute.join('.')),
  );
  const words = replacedPlaces.flatMap(({ schema }) => metadataOf(schema).replacementLoses ?? []);
  return [...new Set(words)].join('; ') || kind.deletionLoses;
}
