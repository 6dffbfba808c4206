import { badRequest } from '../errors.js';
import { genericKind } from '../generic/generic-kind.js';
import { asObject, nonEmptyText } from '../json.js';
import type { ResourceKind } from '../kind.js';
import { readCertificate } from './certificate-file.js';

const genericCertificate = genericKind('Microsoft.App/managedEnvironments/certificates');

/**
 * Certificates of an environment: what a PFX or PEM file says of itself is returned, its content
 * never. A placeholder (neither PFX nor PEM) is kept as not valid; a reference to a key vault is
 * kept unread.
 */
export const environmentCertificate: ResourceKind = {
  ...genericCertificate,
  async declare(body, context) {
    const { value, password } = asObject(body['properties']) ?? {};
    const declared = await genericCertificate.declare(body, context);
    const content = nonEmptyText(value);
    if (content === undefined)
      return { ...declared, decided: context.previous?.decided ?? declared.decided };
    const { name } = context.path;
    const certificate = await readCertificate(content, nonEmptyText(password) ?? '');
    if (certificate === 'placeholder') return { ...declared, decided: { valid: false } };
    if (certificate === 'unreadable')
      throw badRequest(
        'InvalidCertificate',
        `The certificate ${name} is invalid or password is incorrect.`,
      );
    if (certificate === 'without one private key')
      throw badRequest(
        'CertificateMustContainOnePrivateKey',
        'Certificate must contain one private key.',
      );
    return { ...declared, decided: { ...certificate, valid: true } };
  },
  present: async (resource, context) => ({
    ...(await genericCertificate.present(resource, context)),
    valid: true,
    ...resource.decided,
  }),
};
