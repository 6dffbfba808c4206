import { valueAtPath } from '../../../../kinds/schema/path-steps.js';
import type { Resource } from '../../../../clients/resource-manager/index.js';
import type { ActualValues } from '../../../planner/new-state.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import { isTimeoutsEntry } from '../../../schemas/official-schema.js';
import { normalizeLocation } from '../../../schemas/spelling.js';
import type { Value, ValueMap } from '../../../values/value.js';
import { flattenFields } from '../../body-fields.js';
import { optionalText } from '../../read-values.js';
import { flattenIdentity } from '../azurerm-resource.js';
import { stateId, attributesInPath } from './address.js';
import { readListAction, readChildDocument } from './child-documents.js';
import type { PlacedFields } from './placed-fields.js';
import { fillTemplate, parseTemplate, type TemplateSources } from './template.js';

/** The attributes of an answer, with those of its child documents and list actions. */
export async function readState(
  type: MappedType,
  fields: PlacedFields,
  answer: Resource,
  sources: TemplateSources & { readonly path: string },
): Promise<ActualValues> {
  const { path, values: resourceValues } = sources;
  const state: Record<string, Value> = {
    ...valuesFromPath(type, resourceValues, attributesInPath(type, path)),
    ...flattenFields(fields.ownFields, answer),
    ...attributesInTexts(type, answer),
  };
  if ('location' in type.attributes) state['location'] = normalizeLocation(answer.location ?? '');
  if ('identity' in (type.blocks ?? {})) state['identity'] = flattenIdentity(answer.identity);
  const values = { ...resourceValues, ...state };
  const furtherAttributes = await Promise.all([
    ...[...fields.childDocuments].map((each) => readChildDocument(type, each, path, sources)),
    ...[...fields.actions].map((each) => readListAction(type, each, path, { ...sources, values })),
  ]);
  Object.assign(state, ...furtherAttributes);
  for (const [name, data] of Object.entries(type.attributes))
    if (!isTimeoutsEntry(data) && data.value !== undefined)
      state[name] =
        (await fillTemplate(data.value, {
          ...sources,
          answer,
          values: { ...resourceValues, ...state },
        })) ?? '';
  return {
    ...state,
    id: await stateId(type, { ...sources, answer, values: { ...resourceValues, ...state } }),
  };
}

/** The computed attributes that the path contains, as far as the plan or state has no value. */
function valuesFromPath(
  { attributes }: MappedType,
  resourceValues: ValueMap,
  values: Readonly<Record<string, string>>,
): ValueMap {
  const mayFill = (name: string): boolean => {
    const attribute = attributes[name];
    return attribute !== undefined && !isTimeoutsEntry(attribute) && attribute.computed === true;
  };
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name]) => mayFill(name) && optionalText(resourceValues, name) === undefined,
    ),
  );
}

/** The attributes that the texts of the answer contain, such as the tier and size in `sku.name`. */
function attributesInTexts({ arm: { texts = {} } }: MappedType, answer: Resource): ValueMap {
  const values = Object.entries(texts).map(([path, template]) =>
    parseTemplate(template, String(valueAtPath(answer, path.split('.')))),
  );
  return Object.assign({}, ...values) as ValueMap;
}
