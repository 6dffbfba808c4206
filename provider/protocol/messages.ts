import type {
  Diagnostic,
  Attribute,
  BlockSchema,
  Nesting,
  ResourceSchema,
} from '../schemas/schema.js';
import { encodePath, encodeType } from '../values/value.js';

/** The messages of tfplugin6.proto that the server uses, as protobufjs represents them. */
export interface DynamicValueMessage {
  readonly msgpack?: Uint8Array;
  readonly json?: Uint8Array;
}

interface PathMessage {
  /** Each with one key: `attributeName`, `elementKeyInt` or `elementKeyString`. */
  readonly steps: readonly Readonly<Record<string, string | number>>[];
}

interface DiagnosticMessage {
  readonly severity: 'ERROR' | 'WARNING';
  readonly summary: string;
  readonly detail: string;
  /** The path of the attribute that it is about. @default the whole resource or block */
  readonly attribute?: PathMessage;
}

interface SchemaMessage {
  readonly version: number;
  readonly block: BlockMessage;
}

interface BlockMessage {
  readonly attributes: readonly AttributeMessage[];
  readonly blockTypes: readonly NestedBlockMessage[];
  readonly description: string;
}

interface AttributeMessage {
  readonly name: string;
  /** The type in Terraform's JSON syntax, `["list","string"]`; absent with `nestedType`. */
  readonly type?: Uint8Array;
  readonly nestedType?: {
    readonly attributes: readonly AttributeMessage[];
    /** `SINGLE`, `LIST`, `SET` or `MAP`. */
    readonly nesting: string;
  };
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly deprecated: boolean;
  readonly writeOnly: boolean;
}

interface NestedBlockMessage {
  readonly typeName: string;
  readonly block: BlockMessage;
  /** `SINGLE`, `LIST` or `SET`. */
  readonly nesting: string;
  readonly minItems: number;
  /** 0 means no limit. */
  readonly maxItems: number;
}

interface RawStateMessage {
  /** The state as its file has it, in JSON. */
  readonly json?: Uint8Array;
}

/** A request, with the fields of all requests. */
export interface Request {
  readonly typeName: string;
  /** The configuration of the resource or data source; in ConfigureProvider, of the provider. */
  readonly config?: DynamicValueMessage;
  readonly priorState?: DynamicValueMessage;
  readonly proposedNewState?: DynamicValueMessage;
  readonly plannedState?: DynamicValueMessage;
  readonly currentState?: DynamicValueMessage;
  /** Data of the provider beside the state, which Terraform keeps unread. */
  readonly priorPrivate?: Uint8Array;
  readonly plannedPrivate?: Uint8Array;
  readonly private?: Uint8Array;
  readonly rawState?: RawStateMessage;
  /** The version of the schema by which `rawState` was written. */
  readonly version?: number;
  /** The id that the user imports. */
  readonly id?: string;
  /** Of a resource that moves to another type: its type and state before, and the new type. */
  readonly sourceTypeName?: string;
  readonly sourceState?: RawStateMessage;
  readonly targetTypeName?: string;
  /** The name of the called function. */
  readonly name?: string;
  readonly arguments?: readonly DynamicValueMessage[];
}

/** An answer; every method sets its own fields. */
export type Response = Readonly<Record<string, unknown>>;

/**
 * A diagnostic in Terraform's form, at its attribute. Secrets in its text (a service may repeat a
 * request) are masked.
 */
export function diagnosticMessage(
  diagnostic: Diagnostic,
  secrets: readonly string[] = [],
): DiagnosticMessage {
  const maskSecrets = (text: string): string =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, '(sensitive value)'), text);
  const { path = [] } = diagnostic;
  return {
    severity: diagnostic.severity === 'error' ? 'ERROR' : 'WARNING',
    summary: maskSecrets(diagnostic.summary),
    detail: maskSecrets(diagnostic.detail ?? ''),
    ...(path.length !== 0 && { attribute: encodePath(path) }),
  };
}

/** A schema in Terraform's form. Rules that the protocol cannot express stay with the planner. */
export function schemaMessage(
  schema: BlockSchema & Partial<Pick<ResourceSchema, 'version'>>,
): SchemaMessage {
  return { version: schema.version ?? 0, block: blockMessage(schema) };
}

function blockMessage(body: BlockSchema): BlockMessage {
  return {
    attributes: Object.entries(body.attributes).map(([name, attribute]) =>
      attributeMessage(name, attribute),
    ),
    blockTypes: Object.entries(body.blocks ?? {}).map(([typeName, block]) => ({
      typeName,
      block: blockMessage(block),
      nesting: nestingName(block.nesting),
      minItems: block.min ?? 0,
      maxItems: block.max ?? 0,
    })),
    description: body.description ?? '',
  };
}

function attributeMessage(name: string, attribute: Attribute): AttributeMessage {
  const { nested } = attribute;
  return {
    name,
    ...(nested === undefined
      ? { type: encodeType(attribute.type ?? 'dynamic') }
      : {
          nestedType: {
            nesting: nestingName(nested.nesting),
            attributes: blockMessage(nested).attributes,
          },
        }),
    description: attribute.description ?? '',
    required: attribute.required === true,
    optional: attribute.optional === true,
    computed: attribute.computed === true,
    sensitive: attribute.sensitive === true,
    deprecated: attribute.deprecated !== undefined,
    writeOnly: attribute.writeOnly === true,
  };
}

function nestingName(nesting: Nesting): string {
  return nesting.toUpperCase();
}
