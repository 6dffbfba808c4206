import { Dynamic, isUnknown, type Value, type ValueMap } from '../../values/value.js';
import type { ConfigValidator, Diagnostic } from '../schema.js';
import { authConfigsVersions, checkAuthConfigsBody } from './auth-configs-check.js';

/** The type whose bodies are checked, by castellan's own schema. */
const authConfigsType = 'microsoft.app/containerapps/authconfigs';

/**
 * Checks of a configuration as soon as values are known: again at plan and apply, when more of them
 * are.
 */
export const validateAzapiResource: ConfigValidator = function* (config) {
  const body = config['body'] ?? null;
  if (body instanceof Dynamic && typeof body.value === 'string')
    yield invalid(
      'Invalid Type',
      'The value must not be a string. From 2.0, the value only accepts an HCL object, write it without `jsonencode`.',
      'body',
    );
  else yield* bodyDiagnostics(config, body);
  const type = typeof config['type'] === 'string' ? config['type'].toLowerCase() : '';
  if (type.startsWith(`${authConfigsType}@`))
    for (const name of ['location', 'tags', 'identity'] as const) {
      const value = config[name] ?? null;
      if (value !== null && !(Array.isArray(value) && value.length === 0))
        yield invalid(
          'Invalid configuration',
          `embedded schema validation failed: the argument "body" is invalid:\n\`${name}\` is not expected here.${name === 'location' ? ' Do you mean `id`?' : ''}`,
          name,
        );
    }
  const isInSubscription = type.startsWith('microsoft.resources/resourcegroups@');
  if ((config['parent_id'] ?? null) === null && type !== '' && !isInSubscription)
    yield invalid(
      'Missing required argument',
      'The argument "parent_id" is required, but no definition was found.',
      'parent_id',
    );
};

function* bodyDiagnostics(config: ValueMap, body: Value): Generator<Diagnostic> {
  if (
    config['schema_validation_enabled'] === false ||
    isUnknown(config['schema_validation_enabled'])
  )
    return;
  const mistakes = schemaMistakes(config['type'], body);
  if (mistakes.length > 0) yield invalid('Invalid configuration', schemaMessage(mistakes), 'body');
}

/** The mistakes of a body by its type's schema; none for types without a schema here. */
export function schemaMistakes(type: Value | undefined, body: Value): string[] {
  const [name = '', version = ''] = typeof type === 'string' ? type.split('@') : [];
  if (name.toLowerCase() !== authConfigsType) return [];
  if (!(authConfigsVersions as readonly string[]).includes(version))
    return [
      `the \`type\`'s api-version is invalid.\nThe supported versions are [${authConfigsVersions.join(', ')}].`,
    ];
  return checkAuthConfigsBody(body);
}

/** The mistakes as one message, with the official provider's advice. */
export function schemaMessage(mistakes: readonly string[]): string {
  return `embedded schema validation failed: the argument "body" is invalid:\n${mistakes.join('\n')}\n\nYou can try to update to the latest version, or set \`schema_validation_enabled\` to \`false\` to disable the check.`;
}

function invalid(summary: string, detail: string, attribute: string): Diagnostic {
  return { severity: 'error', summary, detail, path: [attribute] };
}
