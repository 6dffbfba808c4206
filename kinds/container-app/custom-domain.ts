import { text } from '../schema/shapes.js';

/** A domain of its own under which an app is reached. */
export const customDomain = text('The name of a host, such as shop.contoso.example.', {
  maxLength: 253,
  pattern:
    '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
  patternDescription:
    'words of letters, digits and inner hyphens with periods between them, and nothing else',
});
