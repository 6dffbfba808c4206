import type { Body, StoredObject } from '../store/objects.js';
import { storedText } from '../store/stored-text.js';
import { BodyLayouts } from './body-layout.js';
import type { LayoutRules } from './body-layout.js';
import type { Directory } from './directory.js';
import type { ObjectType } from './object-type.js';
import type { Shown } from './present.js';
import { defaultProperties, odataType } from './present.js';
import { RecentTexts } from './recent-texts.js';
import type { TextSource } from './recent-texts.js';

/** How the objects of one type are written. */
interface Writer {
  readonly rules: LayoutRules;
  readonly layouts: BodyLayouts;
  /** What stands in front of the id; `typed`: in mixed lists, which name the type. */
  readonly head: string;
  readonly typedHead: string;
}

/** What one directory's answers are written with: a writer for each type, and recent texts, those of mixed lists and all others. */
interface Writers {
  readonly byType: Map<string, Writer>;
  readonly typed: RecentTexts;
  readonly plain: RecentTexts;
}

const writers = new WeakMap<Directory, Writers>();

/** The JSON text of an object with its default properties: what {@link present} gives, without making the object in between. */
export function renderObject(directory: Directory, object: Shown | StoredObject, typed = false): string {
  const { id, type } = object;
  const text = storedText(object);
  return text === undefined ? longWay(writerOf(directory, type), object, typed) : render(directory, { id, type, body: text }, typed);
}

/** The same of a row of a list, remembered where it is shown again and again: it follows from the row alone. */
export function renderRow(directory: Directory, row: TextSource, typed: boolean): string {
  const { typed: withType, plain } = writersOf(directory);
  return (typed ? withType : plain).get(row, (source) => render(directory, source, typed));
}

function render(directory: Directory, { id, type, body }: Omit<TextSource, 'number'>, typed: boolean): string {
  const writer = writerOf(directory, type);
  const head = `${typed ? writer.typedHead : writer.head}${id}"`;
  return writer.layouts.write(head, body) ?? longWay(writer, { id, type, body: JSON.parse(body) as Body }, typed);
}

/** Property by property, for what is too unusual to be written from its text. */
function longWay({ rules, head, typedHead }: Writer, { id, body }: Shown, typed: boolean): string {
  let text = `${typed ? typedHead : head}${id}"`;
  for (const { name, absent } of rules.properties) text += `,${JSON.stringify(name)}:${textOf(body[name]) ?? absent}`;
  for (const name in rules.open ? body : {}) if (!rules.known.has(name)) text += `,${JSON.stringify(name)}:${JSON.stringify(body[name])}`;
  return `${text}}`;
}

function writersOf(directory: Directory): Writers {
  let found = writers.get(directory);
  if (!found) writers.set(directory, (found = { byType: new Map(), typed: new RecentTexts(), plain: new RecentTexts() }));
  return found;
}

function writerOf(directory: Directory, name: string): Writer {
  const { byType } = writersOf(directory);
  let writer = byType.get(name);
  if (!writer) byType.set(name, (writer = newWriter(directory, directory.types.get(name))));
  return writer;
}

function newWriter(directory: Directory, type: ObjectType): Writer {
  const { defaults, known } = defaultProperties(type);
  const properties = defaults.map(([name, absent]) => ({ name, absent: JSON.stringify(absent) }));
  const rules = { properties, known, open: type.open === true };
  const typedHead = `{"@odata.type":"${odataType(directory, type.name)}","id":"`;
  return { rules, layouts: new BodyLayouts(rules), head: '{"id":"', typedHead };
}

/** undefined where nothing is stored. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return value === true ? 'true' : value === false ? 'false' : JSON.stringify(value);
}
