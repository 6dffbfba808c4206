import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { unknownPlaceholder } from '../../../kinds/schema/readers.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import { mapAttribute } from './declared-value.js';

/** Where the body of an app has its domains, and how to read them. */
export const customDomainsMapping = mapAttribute(
  'customDomains',
  'body.properties.configuration.ingress.customDomains',
  domainsByName,
);

/** The certificate that the configuration of a domain chooses. */
const ownCertificate = 'container_app_environment_certificate_id';
/** The certificate that the cloud made for a domain, later than the domain. */
const managedCertificate = 'container_app_environment_managed_certificate_id';

/** In the place of the id of a certificate that is made by the same apply: there is one. */
const unknownCertificateId = 'known after apply';

/**
 * The attributes of a resource that gives an app a domain, with the domain by its name, as in
 * castellan.yaml.
 */
export function withDomainByName({ after, afterUnknown }: PlannedResource): {
  readonly after: unknown;
  readonly afterUnknown: unknown;
} {
  const { name, certificate_binding_type: bindingType } = after as Readonly<
    Record<string, unknown>
  >;
  const isMadeLater = valueAtPath(afterUnknown, [ownCertificate]) === true;
  const certificateId = isMadeLater
    ? unknownCertificateId
    : [ownCertificate, managedCertificate]
        .map((each) => valueAtPath(after, [each]))
        .find((each) => typeof each === 'string' && each !== '');
  return {
    after: {
      ...(after as object),
      customDomains: domainsByName([{ name, certificateId, bindingType }]),
    },
    afterUnknown,
  };
}

/** The domains in a list by their names; `Auto` and other bindings that only the API has are none. */
function domainsByName(list: unknown): Readonly<Record<string, object>> | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.flatMap((each: unknown) => {
    if (!isObject(each) || typeof each['name'] !== 'string') return [];
    const { name, certificateId, bindingType } = each;
    const domain = {
      certificateId:
        certificateId === unknownPlaceholder ? unknownCertificateId : certificateId || undefined,
      binding: ['SniEnabled', 'Disabled'].find((binding) => binding === bindingType),
    };
    return [[name, omitUndefined(domain)] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
