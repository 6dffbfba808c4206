import type { ConfigValidator, Diagnostic } from '../schema.js';
import { isMap, isUnknown, type Path, type ValueMap } from '../../values/value.js';

const tokenName = /^[a-zA-Z0-9]+([_]?[a-zA-Z0-9]+)*$/;

/**
 * Checks an item's definition: its allowed parts, how many of them it has, and the inputs of
 * each processing mode.
 */
function definitionValidator(allowedParts: readonly string[], partCount: number): ConfigValidator {
  return function* (config) {
    const { definition, format } = config;
    if (!isMap(definition)) return;
    if ((format ?? null) === null)
      yield errorDiagnostic(
        'Missing Attribute Configuration',
        'format is required when definition is set: the only value is "Default"',
        ['definition'],
      );
    const parts = Object.keys(definition);
    for (const part of parts.filter((each) => !allowedParts.includes(each)))
      yield errorDiagnostic(
        'Invalid Attribute Value',
        `Attribute definition: part "${part}" is not known. Allowed: ${allowedParts.join(', ')}`,
        ['definition', { key: part }],
      );
    if (parts.length > 0 && parts.length !== partCount)
      yield errorDiagnostic(
        'Invalid Attribute Value',
        `Attribute definition map must contain exactly ${partCount} element(s), got: ${parts.length}`,
        ['definition'],
      );
    for (const [part, value] of Object.entries(definition))
      if (isMap(value)) yield* checkPart(value, ['definition', { key: part }]);
  };
}

function* checkPart(part: ValueMap, path: Path): Generator<Diagnostic> {
  const mode = part['processing_mode'] ?? null;
  const tokens = part['tokens'] ?? null;
  const parameters = part['parameters'] ?? null;
  if (isUnknown(mode)) return;
  if (mode === 'GoTemplate' && tokens === null)
    yield errorDiagnostic(
      'Missing Attribute Configuration',
      'tokens is required when processing_mode is "GoTemplate" ({} is enough)',
      [...path, 'tokens'],
    );
  if (mode === 'Parameters' && parameters === null)
    yield errorDiagnostic(
      'Missing Attribute Configuration',
      'parameters is required when processing_mode is "Parameters"',
      [...path, 'parameters'],
    );
  if ((mode === 'None' || mode === 'Parameters') && tokens !== null)
    yield errorDiagnostic(
      'Invalid Attribute Combination',
      `tokens can't be set when processing_mode is "${mode}"`,
      [...path, 'tokens'],
    );
  if (mode !== 'Parameters' && parameters !== null)
    yield errorDiagnostic(
      'Invalid Attribute Combination',
      'parameters can only be set when processing_mode is "Parameters"',
      [...path, 'parameters'],
    );
  if ((part['tokens_delimiter'] ?? null) !== null && (tokens === null || parameters !== null))
    yield errorDiagnostic(
      'Invalid Attribute Combination',
      'tokens_delimiter can only be set beside tokens',
      [...path, 'tokens_delimiter'],
    );
  for (const name of isMap(tokens) ? Object.keys(tokens) : [])
    if (!tokenName.test(name))
      yield errorDiagnostic(
        'Invalid Attribute Value',
        `token "${name}" must consist of letters and digits, with single underscores between them`,
        [...path, 'tokens', { key: name }],
      );
}

function errorDiagnostic(summary: string, detail: string, path: Path): Diagnostic {
  return { severity: 'error', summary, detail, path };
}

export const eventhouseDefinition = definitionValidator(['EventhouseProperties.json'], 1);
export const eventstreamDefinition = definitionValidator(
  ['eventstream.json', 'eventstreamProperties.json'],
  1,
);
export const kqlDatabaseDefinition = definitionValidator(
  ['DatabaseProperties.json', 'DatabaseSchema.kql'],
  2,
);
