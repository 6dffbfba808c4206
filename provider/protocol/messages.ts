/** The messages of tfplugin6.proto that the server reads and writes, as proto-loader gives them. */
export interface DynamicValueMessage {
  readonly msgpack?: Uint8Array;
  readonly json?: Uint8Array;
}

export interface PathMessage {
  readonly steps: readonly Readonly<Record<string, string | number>>[];
}

export interface DiagnosticMessage {
  readonly severity: 'ERROR' | 'WARNING';
  readonly summary: string;
  readonly detail: string;
  readonly attribute?: PathMessage;
}

export interface SchemaMessage {
  readonly version: number;
  readonly block: BlockMessage;
}

export interface BlockMessage {
  readonly attributes: readonly AttributeMessage[];
  readonly blockTypes: readonly NestedBlockMessage[];
  readonly description: string;
}

export interface AttributeMessage {
  readonly name: string;
  readonly type?: Uint8Array;
  readonly nestedType?: { readonly attributes: readonly AttributeMessage[]; readonly nesting: string };
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly deprecated: boolean;
  readonly writeOnly: boolean;
}

export interface NestedBlockMessage {
  readonly typeName: string;
  readonly block: BlockMessage;
  readonly nesting: string;
  readonly minItems: number;
  readonly maxItems: number;
}

export interface RawStateMessage {
  readonly json?: Uint8Array;
}

/** One request, seen as what all requests may hold. */
export interface Request {
  readonly typeName: string;
  readonly config?: DynamicValueMessage;
  readonly priorState?: DynamicValueMessage;
  readonly proposedNewState?: DynamicValueMessage;
  readonly plannedState?: DynamicValueMessage;
  readonly currentState?: DynamicValueMessage;
  readonly priorPrivate?: Uint8Array;
  readonly plannedPrivate?: Uint8Array;
  readonly private?: Uint8Array;
  readonly rawState?: RawStateMessage;
  readonly version?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: readonly DynamicValueMessage[];
}

/** One answer; every method fills its own part. */
export type Response = Readonly<Record<string, unknown>>;
