import { type Static, type TSchema, type TUnsafe, Unsafe } from '@sinclair/typebox';
import { metadataOf, type PropertyMetadata, withMetadata } from './property-metadata.js';

/** The written forms of a secret: `${env:NAME}`, `secret:NAME` and `keyvault:URL`. */
export const secretReferencePattern =
  '^(\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}|secret:[a-z0-9]([a-z0-9-]*[a-z0-9])?|keyvault:https://[^\\s]+)$';

/**
 * The source of a secret, never the secret itself: `${env:NAME}` a variable of the
 * environment that applies the stack, `secret:NAME` a secret of the same app,
 * `keyvault:https://vault.example/secrets/name` a secret of a key vault, read with the app's
 * identity.
 */
export const secretReference = Unsafe<string>({
  type: 'string',
  pattern: secretReferencePattern,
  description:
    'The source of the secret, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`.',
  'x-secret': true,
});

/** The source of an app's secret, with metadata such as the place of the secret's name. */
export function secret(metadata: PropertyMetadata): TUnsafe<string> {
  return { ...secretReference, ...withMetadata(metadata) };
}

/** A reference to a secret, as {@link secretReference} describes it. */
export type SecretReference = Static<typeof secretReference>;

/**
 * The name under which an app stores the secret at a path: that of its schema, otherwise parent and
 * property, in lower case with hyphens.
 */
export function secretNameOf(schema: TSchema, path: readonly (string | number)[]): string {
  const { secretName } = metadataOf(schema);
  if (secretName !== undefined) return secretName;
  const [parent = '', property = ''] = path.slice(-2).map(String);
  const suffix = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${parent.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${suffix}`;
}
