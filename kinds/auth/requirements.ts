import { Unsafe } from '@sinclair/typebox';
import { type PropertyMetadata, withMetadata } from '../schema/property-metadata.js';
import {
  closedObject,
  type DeclarationOf,
  list,
  recordOf,
  reference,
  text,
} from '../schema/schema-builders.js';
import { pathPatternMistake } from './path-pattern.js';
import { timeSpanFormat } from './time-span.js';

/** Claims of a token, each with the values of which one is required. */
export const requiredClaims = (metadata: PropertyMetadata = {}) =>
  recordOf(
    list(text('A value.', { minLength: 1 }), {
      description: 'The accepted values.',
      minItems: 1,
    }),
    {
      namePattern: '^\\S+$',
      patternDescription: 'one character or more, and no blanks',
      description: 'Claims that the token must have, each with the accepted values.',
      ...metadata,
    },
  );

/** A time span, or a number of seconds. */
const maxAge = () =>
  Unsafe<string | number>({
    type: ['string', 'integer'],
    pattern: timeSpanFormat.pattern,
    minimum: 1,
    description:
      'The longest time since the person entered credentials: hh:mm:ss, or a number of seconds.',
    ...withMetadata({
      patternDescription: timeSpanFormat.patternDescription,
      validate: (value: unknown) =>
        typeof value === 'string' ? timeSpanFormat.validate(value) : undefined,
      body: 'maxAge',
    }),
  });

/** What people need for paths of an app, beyond a sign-in. */
export const requirements = () =>
  list(
    closedObject(
      {
        path: text('The path, and all below it; / is the whole app.', {
          pattern: '^/',
          patternDescription: 'a slash at its beginning',
          validate: pathPatternMistake,
          body: 'path',
        }),
        acrValues: list(text('An authentication context.', { pattern: '^\\S+$' }), {
          description:
            'Accepted authentication contexts (acr): without one of them the person signs in again.',
          minItems: 1,
          body: 'acrValues',
        }),
        maxAge: maxAge(),
        groups: list(
          reference(
            ['groups', 'principals'],
            'A group: of this stack, an object id, or the name of a group at an OpenID Connect provider.',
          ),
          { description: 'Groups of which a person needs one.', minItems: 1, body: 'groups' },
        ),
        claims: requiredClaims({ body: 'claims' }),
        emailDomains: list(text('A domain.', { pattern: '^(\\*\\.)?[^\\s@/*]+$' }), {
          description: 'Domains of verified e-mail addresses; *.contoso.example for subdomains.',
          minItems: 1,
          body: 'emailDomains',
        }),
      },
      { description: 'What people need to reach a path.', required: ['path'] },
    ),
    {
      description:
        'What people need for paths of the app; the longest matching path applies. Not in the cloud.',
      omitByDefault: true,
      body: 'globalValidation.requirements',
    },
  );

/** What people need to reach a path of an app. */
export type RequirementProps = DeclarationOf<ReturnType<typeof requirements>>[number];

/** A requirement with its properties in a fixed order, so that equal ones are equal as text. */
export function orderedRequirement(declared: RequirementProps): object {
  const { path, acrValues, maxAge, groups, claims, emailDomains } = declared;
  return Object.fromEntries(
    Object.entries({ path, acrValues, maxAge, groups, claims, emailDomains }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/** Requirements with their groups transformed. */
export function mapRequiredGroups<
  Given,
  Group,
  Requirement extends { readonly groups?: readonly Given[] | undefined },
>(
  requirements: readonly Requirement[] | undefined,
  transform: (group: Given) => Group,
): (Omit<Requirement, 'groups'> & { readonly groups?: readonly Group[] })[] | undefined {
  return requirements?.map(({ groups, ...otherProperties }) =>
    groups === undefined ? otherProperties : { ...otherProperties, groups: groups.map(transform) },
  );
}
