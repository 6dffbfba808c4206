import { CastellanError } from '../../core/errors/castellan-error.js';
import { sections, stackSchema } from '../../kinds/index.js';
import { skipsValidation } from './cloud-settings.js';
import { type Construct, Token, Tokenization } from './cdktf.js';

/** A JSON Schema, as far as it says where values are. */
interface Node {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
}

/** What has a structure: a section of castellan.yaml, or the policy of groups. */
type Structured = keyof typeof sections | 'groupLifecyclePolicy';

/** Values that choose resources, blocks or their types, and so are never left to Terraform. */
const choices: ReadonlySet<string> = new Set([
  'groups.kind',
  'groups.groupTypes',
  'groups.dynamicMembership.processing',
  'groups.membershipRuleProcessingState',
  'groups.membersManagedElsewhere',
  'groups.ownersManagedElsewhere',
  'registrations.requiredPermissions.roles',
  'registrations.requiredPermissions.scopes',
  'containerApps.environment',
  'containerApps.auth.restrictAccess',
  'containerApps.auth.providers.directory.registration',
  'containerApps.identity.systemAssigned',
  'groupLifecyclePolicy.managedGroupTypes',
  'workspaces.identity',
  'eventhouses.definition.parts.path',
  'eventhouses.definition.parts.payloadType',
  'eventstreams.definition.file',
  'eventstreams.definition.parts.path',
  'eventstreams.definition.parts.payloadType',
]);

/** Maps that Terraform takes whole. */
const wholeMaps: ReadonlySet<string> = new Set(['tags', 'claims', 'requiredClaims']);

/**
 * The props with values that are known only at apply in the form of their properties: of a text, a
 * number, a list or a map, whichever way the token was made (`iterator.value`, `variable.value`).
 *
 * @param id that of the construct, while its scope stands for it.
 * @throws CAS2001 when a value is not known that decides which resources and blocks there are.
 */
export function withTypedTokens<Props extends object>(
  scope: Construct,
  section: Structured,
  props: Props,
  id?: string,
): Props {
  if (skipsValidation(scope)) return props;
  const owner = id === undefined ? scope.node.path : `${scope.node.path}/${id}`;
  return shaped(props, schemaOf(section), {
    at: section,
    shown: '',
    owner,
  }) as Props;
}

function schemaOf(section: Structured): Node {
  const schema =
    section === 'groupLifecyclePolicy'
      ? stackSchema.properties.groupLifecyclePolicy
      : sections[section];
  return schema as unknown as Node;
}

interface Place {
  /** The section and its keys, without entries of lists. */
  readonly at: string;
  /** The path for messages. */
  readonly shown: string;
  /** The path of the construct. */
  readonly owner: string;
}

function shaped(value: unknown, node: Node | undefined, place: Place): unknown {
  if (node === undefined || value === undefined || value === null) return value;
  if (isListEntry(value))
    refuse(
      place,
      'takes an entry of a list that is known only at apply: write Fn.element(list, 0) instead of list[0]',
    );
  const decides = isChoice(place.at) || isStructure(node, place.at);
  if (typeof value === 'string' && node.type !== 'array' && node.type !== 'object' && !decides)
    return value;
  if (Token.isUnresolved(value))
    return decides ? refuse(place, mustBeKnown) : inFormOf(node, value, place);
  if (Array.isArray(value) && node.type === 'object') refuse(place, 'takes no list');
  if (Array.isArray(value))
    return value.map((each: unknown, index) =>
      shaped(each, node.items, { ...place, shown: `${place.shown}[${index}]` }),
    );
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const [entry] = Object.values(node.patternProperties ?? {});
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => {
      const shown = place.shown === '' ? key : `${place.shown}.${key}`;
      const inside = { ...place, at: `${place.at}.${key}`, shown };
      return [key, shaped(each, node.properties?.[key] ?? entry, inside)];
    }),
  );
}

const mustBeKnown =
  'decides what is created and must be known at synth: write it out; texts, numbers and lists in it may be known at apply';

function refuse({ owner, shown }: Place, problem: string): never {
  throw new CastellanError('CAS2001', `${owner}: ${shown} ${problem}`);
}

/** Whether a text is `list[0]` of a token: cdktf would take it for the whole list. */
function isListEntry(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('#{') && Token.isUnresolved([value]);
}

function isChoice(at: string): boolean {
  return choices.has(at) || at.startsWith('containerApps.sandbox.');
}

/** Whether constructs unfold a value into blocks and arguments. */
function isStructure({ type, items }: Node, at: string): boolean {
  if (type === 'array') return items?.type === 'object';
  return type === 'object' && !wholeMaps.has(at.slice(at.lastIndexOf('.') + 1));
}

function inFormOf({ type }: Node, value: unknown, place: Place): unknown {
  const isList = Array.isArray(value);
  if (type === 'array') return isList ? value : Token.asList(value);
  if (isList) return refuse(place, 'takes no list');
  if (type === 'object') return isMap(value) ? value : Token.asStringMap(value as never);
  if (isMap(value)) return refuse(place, 'takes no map');
  if (type === 'integer' || type === 'number') return Token.asNumber(value as never);
  return type === 'boolean' ? value : Token.asString(value);
}

/** Whether a token is a map, as `Token.asStringMap` makes it. */
function isMap(value: unknown): boolean {
  return typeof value === 'object' && !Tokenization.isResolvable(value);
}
