import {
  ContainerAppCustomDomain,
  type ContainerAppCustomDomainConfig,
} from '@cdktf/provider-azurerm/lib/container-app-custom-domain';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { customDomainName } from '../../kinds/container-app/custom-domain.js';
import { mistakeIn } from '../../kinds/schema/find-mistake.js';
import type { ContainerAppDeclaration } from '../generated/props.js';
import { type Construct, Token } from '../internal/cdktf.js';
import { escapeInterpolation } from '../internal/interpolation.js';

/** The certificate of a custom domain, and how it is bound. */
export type CustomDomainOptions = NonNullable<ContainerAppDeclaration['customDomains']>[string];

/**
 * Gives an app a custom domain.
 *
 * @throws CAS2001 when the domain is not a valid host name.
 * @throws CAS2012 when the app has the domain already.
 */
export function createCustomDomain(
  scope: Construct,
  appId: string,
  domain: string,
  { certificateId, binding }: CustomDomainOptions,
): ContainerAppCustomDomain {
  const isKnown = !Token.isUnresolved(domain);
  const mistake = isKnown ? mistakeIn(customDomainName, domain) : undefined;
  if (mistake !== undefined)
    throw new CastellanError(
      'CAS2001',
      `${scope.node.path}: ${JSON.stringify(domain)} is not a valid domain: ${mistake.message}`,
    );
  const config: ContainerAppCustomDomainConfig = {
    name: escapeInterpolation(domain),
    containerAppId: appId,
    certificateBindingType: binding ?? (certificateId === undefined ? 'Disabled' : 'SniEnabled'),
    ...(certificateId !== undefined && {
      containerAppEnvironmentCertificateId: escapeInterpolation(certificateId),
    }),
  };
  const id = isKnown ? `domain-${domain.toLowerCase()}` : `domain-${scope.node.children.length}`;
  if (scope.node.tryFindChild(id) !== undefined)
    throw new CastellanError(
      'CAS2012',
      `${scope.node.path} has the domain ${JSON.stringify(domain)} already`,
    );
  return new ContainerAppCustomDomain(scope, id, config);
}
