import { Optional, Unsafe } from '@sinclair/typebox';
import type { Declared } from '../schema/shapes.js';
import { closed, text } from '../schema/shapes.js';

/** Who already exists in the directory: exactly one of the kinds, by name or object id. */
export const principalSchema = closed(
  {
    user: Optional(text('A user, by user principal name or object id.', { minLength: 1 })),
    servicePrincipal: Optional(text('A service principal, by display name or object id.', { minLength: 1 })),
    device: Optional(text('A device, by display name or object id.', { minLength: 1 })),
    contact: Optional(text('An organizational contact, by mail address or object id.', { minLength: 1 })),
    group: Optional(text('A group that this stack does not manage, by display name or object id.', { minLength: 1 })),
    groupKind: Optional(
      Unsafe<'security' | 'unified'>({
        type: 'string',
        enum: ['security', 'unified'],
        description: 'The kind of an existing group, where its members or holders depend on it.',
      }),
    ),
  },
  { description: 'Who already exists in the directory.' },
);

/** Who already exists in the directory; `{ user: 'ada@contoso.example' }`. */
export type PrincipalProps = Declared<typeof principalSchema>;

/** The kinds of principals that the directory knows. */
export const principalKinds = ['user', 'servicePrincipal', 'device', 'contact', 'group'] as const;

/** A kind of principal. */
export type PrincipalKind = (typeof principalKinds)[number];
