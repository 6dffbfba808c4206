import { CastellanError } from '../../core/errors/castellan-error.js';
import { sections, stackSchema } from '../../kinds/index.js';
import { isValidationSkipped } from './cloud-settings.js';
import { type Construct, Token, Tokenization } from './cdktf.js';

/** The keywords of a JSON Schema that say which values are where. */
interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** The key of castellan.yaml whose schema the props have. */
type SchemaKey = keyof typeof sections | 'groupLifecyclePolicy';

/** Properties that decide which resources and blocks are created, and so must be known at synth. */
const synthTimeProperties: ReadonlySet<string> = new Set([
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

/** Maps that are passed to Terraform as they are, so that a token may stand for one. */
const opaqueMaps: ReadonlySet<string> = new Set(['tags', 'claims', 'requiredClaims']);

/**
 * Converts the tokens in props to tokens of the type that their property has (text, number, list or
 * map), however they were made (`iterator.value`, `variable.value`).
 *
 * @param id the id of the construct, if `scope` is its parent because it does not exist yet.
 * @throws CAS2001 when a value that decides which resources and blocks are created is a token.
 */
export function withTypedTokens<Props extends object>(
  scope: Construct,
  section: SchemaKey,
  props: Props,
  id?: string,
): Props {
  if (isValidationSkipped(scope)) return props;
  const owner = id === undefined ? scope.node.path : `${scope.node.path}/${id}`;
  return convertTokens(props, schemaOf(section), {
    schemaPath: section,
    displayPath: '',
    owner,
  }) as Props;
}

function schemaOf(section: SchemaKey): SchemaNode {
  const schema =
    section === 'groupLifecyclePolicy'
      ? stackSchema.properties.groupLifecyclePolicy
      : sections[section];
  return schema as unknown as SchemaNode;
}

interface Place {
  /** The section and the keys below it, without indexes of lists. */
  readonly schemaPath: string;
  /** The path in messages. */
  readonly displayPath: string;
  /** The path of the construct. */
  readonly owner: string;
}

function convertTokens(value: unknown, node: SchemaNode | undefined, place: Place): unknown {
  if (node === undefined || value === undefined || value === null) return value;
  if (isListEntry(value))
    refuse(
      place,
      'is an entry of a list that is known only at apply: write Fn.element(list, 0) instead of list[0]',
    );
  const isSynthTime = decidesResources(place.schemaPath) || becomesBlocks(node, place.schemaPath);
  if (typeof value === 'string' && node.type !== 'array' && node.type !== 'object' && !isSynthTime)
    return value;
  if (Token.isUnresolved(value))
    return isSynthTime ? refuse(place, mustBeKnownMessage) : toTokenOfType(node, value, place);
  if (Array.isArray(value) && node.type === 'object') refuse(place, 'must not be a list');
  if (Array.isArray(value))
    return value.map((each: unknown, index) =>
      convertTokens(each, node.items, { ...place, displayPath: `${place.displayPath}[${index}]` }),
    );
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const [entry] = Object.values(node.patternProperties ?? {});
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => {
      const displayPath = place.displayPath === '' ? key : `${place.displayPath}.${key}`;
      const childPlace = { ...place, schemaPath: `${place.schemaPath}.${key}`, displayPath };
      return [key, convertTokens(each, node.properties?.[key] ?? entry, childPlace)];
    }),
  );
}

const mustBeKnownMessage =
  'decides what is created and must be known at synth: pass a literal value; texts, numbers and lists in it may be known at apply';

function refuse({ owner, displayPath }: Place, problem: string): never {
  throw new CastellanError('CAS2001', `${owner}: ${displayPath} ${problem}`);
}

/** Whether a text is `list[0]` of a token: cdktf would write the whole list. */
function isListEntry(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('#{') && Token.isUnresolved([value]);
}

function decidesResources(schemaPath: string): boolean {
  return synthTimeProperties.has(schemaPath) || schemaPath.startsWith('containerApps.sandbox.');
}

/** Whether constructs convert a value into blocks and arguments. */
function becomesBlocks({ type, items }: SchemaNode, schemaPath: string): boolean {
  if (type === 'array') return items?.type === 'object';
  return type === 'object' && !opaqueMaps.has(schemaPath.slice(schemaPath.lastIndexOf('.') + 1));
}

function toTokenOfType({ type }: SchemaNode, value: unknown, place: Place): unknown {
  const isList = Array.isArray(value);
  if (type === 'array') return isList ? value : Token.asList(value);
  if (isList) return refuse(place, 'must not be a list');
  if (type === 'object') return isMapToken(value) ? value : Token.asStringMap(value as never);
  if (isMapToken(value)) return refuse(place, 'must not be a map');
  if (type === 'integer' || type === 'number') return Token.asNumber(value as never);
  return type === 'boolean' ? value : Token.asString(value);
}

/** Whether a token is a map, as `Token.asStringMap` makes it. */
function isMapToken(value: unknown): boolean {
  return typeof value === 'object' && !Tokenization.isResolvable(value);
}
