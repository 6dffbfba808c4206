/** A type as Terraform's JSON type syntax writes it: `"string"`, `["list","string"]`, `["object",{"a":"string"}]`, `"dynamic"`. */
export type TypeExpression =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', TypeExpression]
  | readonly ['object', { readonly [name: string]: TypeExpression }]
  | readonly ['tuple', readonly TypeExpression[]];

/** The bytes by which a schema message names a type. */
export function encodeType(type: TypeExpression): Buffer {
  return Buffer.from(JSON.stringify(type), 'utf8');
}

/** Reads a type from the bytes of a message. */
export function decodeType(bytes: Uint8Array): TypeExpression {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as TypeExpression;
}
