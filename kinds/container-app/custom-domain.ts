import { closedObject, enumOf, recordOf, text } from '../schema/schema-builders.js';

/** The name of a custom domain, at which an app is reached. */
export const customDomainName = text('The name of a host, such as shop.contoso.example.', {
  maxLength: 253,
  pattern:
    '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
  patternDescription:
    'words of letters, digits and inner hyphens with periods between them, and nothing else',
});

/** The domains of an app by their names. */
export const customDomains = () =>
  recordOf(
    () =>
      closedObject(
        {
          certificateId: text(
            'The resource id of a certificate of the environment. Default: none, the domain has no HTTPS.',
            { minLength: 1, referencesGeneratedId: true },
          ),
          binding: enumOf(['SniEnabled', 'Disabled'], {
            description:
              'Whether the certificate is served. Default: SniEnabled with a certificate, Disabled without one.',
          }),
        },
        { description: 'How the domain is served.' },
      ),
    {
      namePattern: `^(?=.{1,${customDomainName.maxLength}}$)${customDomainName.pattern.slice(1)}`,
      patternDescription: `at most ${customDomainName.maxLength} characters: words of letters, digits and inner hyphens, with periods between them`,
      description:
        "Domains of its own under which the app is reached, such as `shop.contoso.example: {}`. Each needs a TXT record `asuid` with the app's verification id before it is applied.",
    },
  );
