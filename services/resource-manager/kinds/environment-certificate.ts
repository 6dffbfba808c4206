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
  async prepareWrite(body, context) {
    const { value, password } = asObject(body['properties']) ?? {};
    const prepared = await genericCertificate.prepareWrite(body, context);
    const content = nonEmptyText(value);
    if (content === undefined)
      return { ...prepared, setByService: context.previous?.setByService ?? prepared.setByService };
    const { name } = context.path;
    const certificate = await readCertificate(content, nonEmptyText(password) ?? '');
    if (certificate === 'placeholder') return { ...prepared, setByService: { valid: false } };
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
    return { ...prepared, setByService: { ...certificate, valid: true } };
  },
  presentProperties: async (resource, context) => ({
    ...(await genericCertificate.presentProperties(resource, context)),
    valid: true,
    ...resource.setByService,
  }),
};
