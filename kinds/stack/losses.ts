import { eventhouse } from '../eventhouse/eventhouse.js';
import { group } from '../group/group.js';
import { registration } from '../registration/registration.js';
import { factsOf } from '../schema/facts.js';
import { placesIn } from '../schema/mapping.js';
import { workspace } from '../workspace/workspace.js';

const lasting = [group, registration, workspace, eventhouse];
/** Resource types without a description. */
const others: Readonly<Record<string, string>> = {
  fabric_kql_database: 'every row of the database',
};

/**
 * What is lost permanently when a resource is deleted or replaced; undefined if it can be created
 * again.
 *
 * @param attributes those that force the replacement: `configuration.minimum_consumption_units`.
 */
export function lossOf(type: string, attributes: readonly string[] = []): string | undefined {
  const kind = lasting.find(({ terraform }) => terraform.whole.includes(type));
  if (kind?.loss === undefined) return others[type];
  const replaced = placesIn(kind, type).filter(({ attribute }) =>
    attributes.includes(attribute.join('.')),
  );
  const words = replaced.flatMap(({ schema }) => factsOf(schema).replaces ?? []);
  return [...new Set(words)].join('; ') || kind.loss;
}
