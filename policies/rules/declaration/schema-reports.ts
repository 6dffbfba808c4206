import { documentationUrl } from '../../../core/text/documentation-url.js';
import { neutralProvider } from '../../../core/dialect/dialect.js';
import type { Finding } from '../../../core/findings/finding.js';
import { describeAllowed, didYouMean, isTypo, nearest } from '../../../core/text/nearest.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { eventstream } from '../../../kinds/eventstream/eventstream.js';
import { group } from '../../../kinds/group/group.js';
import { declaredNamePattern, declaredNameInWords } from '../../../kinds/schema/schema-builders.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import {
  propertyReadOnly,
  propertyRequired,
  propertyType,
  propertyUnknown,
  propertyValue,
  secretLiteral,
} from './schema-rules.js';
import type { SchemaName } from '../../../kinds/stack/schema-compiler.js';
import { correctToPattern, convertToType } from '../../engine/corrected-value.js';
import { type Locate, makeFinding, type Subject } from '../../engine/finding-maker.js';
import {
  type ReportDescriptor,
  type Rule,
  type ReportedMistakes,
  removal,
} from '../../engine/rule.js';
import { schemaAt, type SchemaNode } from '../../engine/schema-paths.js';
import { type SchemaMistake, valueAt } from '../../engine/schema-validation.js';

const configurationPage = `${documentationUrl}/reference/configuration.md`;

/** The value that is validated by its schema, and its place. */
export interface ValidatedValue {
  readonly section: SchemaName;
  readonly value: unknown;
  /** The paths of values that are known only later, relative to the value. */
  readonly unknownPaths: readonly ConfigPath[];
  readonly schema: SchemaNode;
  readonly subject: Subject;
}

/** A mistake as a finding, of the rule that reports it or of a rule about all properties. */
export function mistakeFinding(
  rule: Rule | undefined,
  mistake: SchemaMistake,
  validated: ValidatedValue,
  locate: Locate,
  reported?: ReportedMistakes,
): Finding {
  const { keyword, path, parameters } = mistake;
  const { subject } = validated;
  const schema = schemaAt(validated.schema, path);
  const value = valueAt(validated.value, path);
  if (schema?.['x-secret'] === true && keyword !== 'required')
    return makeFinding(secretLiteral, { path, ...secretReport(value) }, subject, locate);
  if (keyword === 'additionalProperties') return unknownPropertyFinding(path, validated, locate);
  if (keyword === 'required') return missingPropertyFinding(path, validated, locate);
  const messageId =
    (parameters['messageId'] as string | undefined) ?? reported?.messageIds?.[keyword] ?? keyword;
  if (rule?.messages[messageId] !== undefined) {
    const report = { messageId, path, parameters: givenAndLimit(mistake, value) };
    return makeFinding(rule, withFix(report, value, schema), subject, locate, reported?.severity);
  }
  if (keyword === 'type')
    return makeFinding(
      propertyType,
      wrongTypeReport(mistake, value, schema, validated),
      subject,
      locate,
    );
  const report = wrongValueReport(mistake, value, schema);
  return makeFinding(propertyValue, withFix(report, value, schema), subject, locate);
}

/** The finding about a secret that is written in clear below a name that is not allowed. */
export function secretBelowWrongName(
  { keyword, path }: SchemaMistake,
  { value: declared, schema, subject }: ValidatedValue,
  locate: Locate,
): Finding | undefined {
  if (keyword !== 'additionalProperties') return undefined;
  const map = schemaAt(schema, path.slice(0, -1));
  const [secret] = Object.values(map?.patternProperties ?? {});
  const value = valueAt(declared, path);
  if (secret?.['x-secret'] !== true || new RegExp(secret.pattern ?? '').test(String(value)))
    return undefined;
  return makeFinding(secretLiteral, { path, ...secretReport(value) }, subject, locate);
}

/** What a message says of a value and of the limit that it misses. */
function givenAndLimit(
  { keyword, parameters }: SchemaMistake,
  value: unknown,
): Record<string, unknown> {
  const given = valueText(value);
  return { given, ...limitParameters(keyword, parameters, String(given)), length: lengthOf(value) };
}

/** A value of another type, with the value that it was meant to be. */
function wrongTypeReport(
  { path, parameters }: SchemaMistake,
  value: unknown,
  schema: SchemaNode | undefined,
  { section, subject }: ValidatedValue,
): ReportDescriptor {
  const subjectName =
    subject.path.at(-1) ?? (section === 'policy' ? 'a policy' : 'a configuration');
  const given = typeof value === 'string' ? JSON.stringify(valueText(value)) : valueText(value);
  const wanted = describeType(schema?.type ?? parameters['type']);
  const suggestion = convertToType(value, schema?.type, lastProperty(path));
  return {
    messageId: 'type',
    path,
    parameters: {
      property: path.length === 0 ? String(subjectName) : describeSubject(path),
      given,
      wanted,
    },
    fix:
      suggestion === undefined
        ? undefined
        : { description: `write ${JSON.stringify(suggestion)}`, value: suggestion },
  };
}

/** A value beyond a limit that no rule of its own reports. */
function wrongValueReport(
  mistake: SchemaMistake,
  value: unknown,
  schema: SchemaNode | undefined,
): ReportDescriptor {
  const { keyword, path } = mistake;
  return {
    messageId: Object.hasOwn(propertyValue.messages, keyword) ? keyword : 'other',
    path,
    parameters: {
      property: lastProperty(path),
      ...givenAndLimit(mistake, value),
      description: schema?.description ?? '',
      form: formatText(schema),
    },
  };
}

/** The requirement of a pattern, in words if it has some. */
function formatText(schema: SchemaNode | undefined): string {
  const { patternDescription } = schema === undefined ? {} : metadataOf(schema);
  return patternDescription ?? `the form ${schema?.pattern ?? ''}`;
}

function withFix(
  report: ReportDescriptor,
  value: unknown,
  schema: SchemaNode | undefined,
): ReportDescriptor {
  const { nearest: closest } = report.parameters ?? {};
  if (typeof closest === 'number') return { ...report, fix: { value: closest } };
  if (schema?.enum === undefined || typeof value !== 'string') {
    const parameters = { hint: '', ...report.parameters };
    const correctedText =
      typeof value === 'string' && report.messageId === 'pattern' && schema !== undefined
        ? correctToPattern(value, schema)
        : undefined;
    return {
      ...report,
      parameters,
      fix: correctedText === undefined ? undefined : { value: correctedText },
    };
  }
  const suggestion = nearest(value, schema.enum.map(String));
  const parameters = { ...report.parameters, hint: didYouMean(suggestion) };
  return {
    ...report,
    parameters,
    fix: suggestion === undefined ? undefined : { value: suggestion },
  };
}

function unknownPropertyFinding(
  path: ConfigPath,
  { schema, section, subject, value }: ValidatedValue,
  locate: Locate,
): Finding {
  const property = String(path.at(-1));
  const parent = schemaAt(schema, path.slice(0, -1));
  if (path.length === 1 && setByService[section]?.().has(property) === true) {
    return makeFinding(
      propertyReadOnly,
      { messageId: 'readOnly', path, at: 'key', parameters: { property }, fix: removal },
      subject,
      locate,
    );
  }
  const allowed = Object.keys(parent?.properties ?? {});
  const suggestion =
    allowed.find((each) => each === neutralProvider(property)) ?? nearest(property, allowed);
  const names = Object.keys(parent?.patternProperties ?? {});
  if (allowed.length === 0 && names.length > 0)
    return makeFinding(
      propertyValue,
      {
        messageId: 'name',
        path,
        at: 'key',
        parameters: { given: property, form: nameFormatText(parent) },
      },
      subject,
      locate,
    );
  const hint = didYouMean(
    suggestion,
    allowed.length === 0
      ? ''
      : `; allowed: ${describeAllowed(property, allowed, configurationPage)}`,
  );
  const siblings = valueAt(value, path.slice(0, -1)) as
    Readonly<Record<string, unknown>> | undefined;
  const isObviousCorrection =
    suggestion !== undefined &&
    (suggestion === neutralProvider(property) || isTypo(property, suggestion)) &&
    siblings?.[suggestion] === undefined;
  const fix = isObviousCorrection ? { key: suggestion } : undefined;
  return makeFinding(
    propertyUnknown,
    { messageId: 'unknown', path, at: 'key', parameters: { property, hint }, fix },
    subject,
    locate,
  );
}

const setByService: { readonly [section in SchemaName]?: () => ReadonlySet<string> } = {
  groups: () => new Set([...group.setByService, ...group.notDeclared]),
  workspaces: () => workspace.setByService,
  eventhouses: () => eventhouse.setByService,
  eventstreams: () => eventstream.setByService,
};

function missingPropertyFinding(
  path: ConfigPath,
  { schema, subject }: ValidatedValue,
  locate: Locate,
): Finding {
  const property = String(path.at(-1));
  const description = schemaAt(schema, path)?.description ?? '';
  return makeFinding(
    propertyRequired,
    { messageId: 'required', path, parameters: { property, description } },
    subject,
    locate,
  );
}

/** The requirement of the names in a map, in words. */
function nameFormatText(map: SchemaNode | undefined): string {
  const [pattern = ''] = Object.keys(map?.patternProperties ?? {});
  if (pattern === declaredNamePattern) return declaredNameInWords;
  const { patternDescription = `the form ${pattern}` } = map === undefined ? {} : metadataOf(map);
  return `it must have ${patternDescription}`;
}

/** How many characters of a text a message shows at most. */
const messageTextLimit = 1000;

/** A value in a message: never long, and never the content of an object. */
function valueText(value: unknown): unknown {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' && value.length > messageTextLimit
    ? `${value.slice(0, messageTextLimit)}…`
    : value;
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return Array.isArray(value) ? value.length : undefined;
  let length = 0;
  for (let index = 0; index < value.length; index++)
    length += isLowSurrogate(value.charCodeAt(index)) ? 0 : 1;
  return length;
}

/** Whether a code unit of a text belongs to the character before it. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function limitParameters(
  keyword: string,
  parameters: Readonly<Record<string, unknown>>,
  text: string,
): Record<string, unknown> {
  if (keyword === 'enum')
    return {
      allowed: describeAllowed(
        text,
        (parameters['allowedValues'] as readonly unknown[]).map(String),
        configurationPage,
      ),
    };
  if (keyword === 'pattern') return { pattern: parameters['pattern'] };
  if (keyword === 'allowedNumbers')
    return { words: parameters['allowed'], nearest: parameters['nearest'] };
  if (keyword === 'validate') return { words: parameters['message'] };
  const { limit } = parameters;
  const unit = keyword.endsWith('Length') ? ['character', 'characters'] : ['entry', 'entries'];
  return { limit, amount: limit === 1 ? `one ${unit[0]}` : `${String(limit)} ${unit[1]}` };
}

function lastProperty(path: ConfigPath): string {
  return path.filter((step) => typeof step === 'string').at(-1) ?? 'the value';
}

/** The property, or an entry of it: a list is not itself of the type of its entries. */
function describeSubject(path: ConfigPath): string {
  return typeof path.at(-1) === 'number'
    ? `each entry of ${lastProperty(path)}`
    : lastProperty(path);
}

function describeType(type: unknown): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a map',
    null: 'null',
  };
  return (Array.isArray(type) ? type : [type])
    .map((each) => words[String(each)] ?? String(each))
    .join(' or ');
}

/** A variable without braces is named by its fix; anything else is a secret in clear. */
export function secretReport(value: unknown): Pick<ReportDescriptor, 'messageId' | 'fix'> {
  const [, name] = /^env:([A-Za-z_]\w*)$/.exec(String(value)) ?? [];
  return name === undefined
    ? { messageId: 'literal' }
    : { messageId: 'braces', fix: { value: `\${env:${name}}` } };
}
