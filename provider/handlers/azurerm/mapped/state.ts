import { valueAtPath } from '../../../../kinds/schema/path-steps.js';
import type { Resource } from '../../../../clients/resource-manager/index.js';
import type { ActualValues } from '../../../planner/new-state.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import { isOperations } from '../../../schemas/official-schema.js';
import { normalizeLocation } from '../../../schemas/spelling.js';
import type { Value, ValueMap } from '../../../values/value.js';
import { flattenFields } from '../../body-fields.js';
import { text } from '../../read-values.js';
import { flattenIdentity } from '../azurerm-resource.js';
import { idOf, valuesIn } from './address.js';
import { readAction, readDocument } from './documents.js';
import type { PlacedFields } from './placed-fields.js';
import { fillTemplate, parseTemplate, type Sources } from './template.js';

/** The attributes of an answer, with those of its child documents and list actions. */
export async function stateOf(
  type: MappedType,
  fields: PlacedFields,
  answer: Resource,
  sources: Sources & { readonly path: string },
): Promise<ActualValues> {
  const { path, values: known } = sources;
  const state: Record<string, Value> = {
    ...unlessKnown(type, known, valuesIn(type, path)),
    ...flattenFields(fields.own, answer),
    ...textsIn(type, answer),
  };
  if ('location' in type.attributes) state['location'] = normalizeLocation(answer.location ?? '');
  if ('identity' in (type.blocks ?? {})) state['identity'] = flattenIdentity(answer.identity);
  const values = { ...known, ...state };
  const below = await Promise.all([
    ...[...fields.documents].map((each) => readDocument(type, each, path, sources)),
    ...[...fields.actions].map((each) => readAction(type, each, path, { ...sources, values })),
  ]);
  Object.assign(state, ...below);
  for (const [name, data] of Object.entries(type.attributes))
    if (!isOperations(data) && data.value !== undefined)
      state[name] =
        (await fillTemplate(data.value, {
          ...sources,
          answer,
          values: { ...known, ...state },
        })) ?? '';
  return {
    ...state,
    id: await idOf(type, { ...sources, answer, values: { ...known, ...state } }),
  };
}

/** The attributes that the path has, where the service may fill them and nothing is known yet. */
function unlessKnown(
  { attributes }: MappedType,
  known: ValueMap,
  values: Readonly<Record<string, string>>,
): ValueMap {
  const mayFill = (name: string): boolean => {
    const attribute = attributes[name];
    return attribute !== undefined && !isOperations(attribute) && attribute.computed === true;
  };
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => mayFill(name) && text(known, name) === undefined),
  );
}

/** The attributes that texts of the answer are made of. */
function textsIn({ arm: { texts = {} } }: MappedType, answer: Resource): ValueMap {
  const values = Object.entries(texts).map(([path, template]) =>
    parseTemplate(template, String(valueAtPath(answer, path.split('.')))),
  );
  return Object.assign({}, ...values) as ValueMap;
}
