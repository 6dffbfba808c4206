import { eventhouse } from '../eventhouse/eventhouse.js';
import { group } from '../group/group.js';
import { registration } from '../registration/registration.js';
import { factsOf } from '../schema/facts.js';
import { placesIn } from '../schema/mapping.js';
import { workspace } from '../workspace/workspace.js';

const lasting = [group, registration, workspace, eventhouse];
/** Of resources that no description is about. */
const others: Readonly<Record<string, string>> = { fabric_kql_database: 'every row of the database' };

/**
 * What is lost for good when a resource is deleted or replaced; undefined where it can be made again as it was.
 *
 * @param attributes those whose change replaces it: `configuration.minimum_consumption_units`.
 */
export function lossOf(type: string, attributes: readonly string[] = []): string | undefined {
  const kind = lasting.find(({ terraform }) => terraform.whole.includes(type));
  if (kind?.loss === undefined) return others[type];
  const replaced = placesIn(kind, type).filter(({ attribute }) => attributes.includes(attribute.join('.')));
  const words = replaced.flatMap(({ schema }) => factsOf(schema).replaces ?? []);
  return [...new Set(words)].join('; ') || kind.loss;
}
