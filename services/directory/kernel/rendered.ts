import type { Body, ObjectRow } from '../store/objects.js';
import type { Directory } from './directory.js';
import type { ObjectType } from './object-type.js';
import type { Shown } from './present.js';
import { defaultProperties, odataType } from './present.js';
import { Recent } from './recent.js';

/** How an object of one type is written: the default properties in their order, with what stands for an absent one. */
interface Plan {
  readonly properties: readonly { readonly name: string; readonly label: string; readonly absent: string }[];
  readonly known: ReadonlySet<string>;
}

const plans = new WeakMap<ObjectType, Plan>();

/** The JSON text of an object with its default properties: what {@link present} gives, without making the object in between. */
export function renderObject(directory: Directory, object: Shown, typed = false): string {
  const type = directory.types.get(object.type);
  const { body } = object;
  const plan = planOf(type);
  let text = typed ? `{"@odata.type":"${odataType(directory, type.name)}","id":"${object.id}"` : `{"id":"${object.id}"`;
  for (const { name, label, absent } of plan.properties) text += label + (textOf(body[name]) ?? absent);
  if (type.open) text += furtherProperties(body, plan.known);
  return `${text}}`;
}

/** A text, with what it was made of. */
interface Rendered {
  readonly type: string;
  readonly body: string;
  readonly text: string;
}

/** Texts by id: those of mixed lists, which name the type, and all others. */
interface Remembered {
  readonly typed: Recent<Rendered>;
  readonly plain: Recent<Rendered>;
}

const perGeneration = 10_000;
const remembered = new WeakMap<Directory, Remembered>();

/**
 * The JSON text of a row of a list, remembered: it follows from the id and the stored body alone, so that nothing ever has to be thrown
 * away because of a change. Another body makes another text.
 */
export function renderRow(directory: Directory, row: Omit<ObjectRow, 'number' | 'version'>, typed: boolean): string {
  let texts = remembered.get(directory);
  if (!texts) remembered.set(directory, (texts = { typed: new Recent(perGeneration), plain: new Recent(perGeneration) }));
  const { id, type, body } = row;
  const render = (): Rendered => ({ type, body, text: renderObject(directory, { id, type, body: JSON.parse(body) as Body }, typed) });
  return (typed ? texts.typed : texts.plain).get(id, render, (known) => known.body === body && known.type === type).text;
}

function planOf(type: ObjectType): Plan {
  let plan = plans.get(type);
  if (!plan) {
    const { defaults, known } = defaultProperties(type);
    const properties = defaults.map(([name, absent]) => ({ name, label: `,${JSON.stringify(name)}:`, absent: JSON.stringify(absent) }));
    plans.set(type, (plan = { properties, known }));
  }
  return plan;
}

/** What an open type keeps beside the properties that it knows. */
function furtherProperties(body: Body, known: ReadonlySet<string>): string {
  let text = '';
  for (const name in body) if (!known.has(name)) text += `,${JSON.stringify(name)}:${JSON.stringify(body[name])}`;
  return text;
}

/** undefined where nothing is stored. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return value === true ? 'true' : value === false ? 'false' : JSON.stringify(value);
}
