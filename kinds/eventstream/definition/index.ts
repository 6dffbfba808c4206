export type { DefinitionMistake } from './check-schema.js';
export { createPathFormatter } from './path-formatter.js';
export { validateEventstreamProperties } from './stream-properties.js';
export { unknownNodeTypes, validateEventstreamDefinition } from './validate.js';
