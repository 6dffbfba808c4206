import { randomUUID } from 'node:crypto';
import { badRequest, created, objectNotFound } from '../http/answers.js';
import type { Router } from '../http/router.js';
import { present } from '../kernel/presentation.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import { textRules } from '../odata/property-rules.js';
import { newServicePrincipal } from '../service-principals/create-service-principal.js';
import { servicePrincipalType } from '../service-principals/service-principal-type.js';
import {
  applicationReadAccess,
  applicationType,
  applicationWriteAccess,
} from './application-type.js';
import { applyValuesToApplication } from './application-rules.js';
import { emptyApplication } from './create-application.js';

const queryRules = textRules(
  'ApplicationTemplate',
  ['eq', 'startsWith', 'in'],
  'id',
  'displayName',
  'publisher',
);

/**
 * The application templates of this directory: the one for custom applications, and a few with SAML
 * single sign-on.
 */
const templates = [
  {
    id: '8adf8e6e-67b2-4cf2-a259-e3dc5476c621',
    displayName: 'Custom',
    publisher: 'Castellan',
    homePageUrl: 'https://castellan.example/',
    supportedSingleSignOnModes: ['saml', 'password'],
  },
  {
    id: '4601ed45-8ff3-4599-8377-b6649007e876',
    displayName: 'Marketo',
    publisher: 'Marketo',
    homePageUrl: 'https://www.marketo.com/',
    supportedSingleSignOnModes: ['saml'],
  },
  {
    id: '00000007-0000-0000-c000-000000000001',
    displayName: 'SAML Toolkit',
    publisher: 'Castellan',
    homePageUrl: 'https://samltoolkit.example/',
    supportedSingleSignOnModes: ['saml'],
  },
].map(({ id, ...template }) => ({
  id,
  body: {
    ...template,
    categories: ['developerServices'],
    description: null,
    logoUrl: `https://logos.castellan.example/${id}.png`,
    supportedProvisioningTypes: [],
  },
}));

/**
 * Adds the operations of application templates, from which an application and its service principal
 * are made.
 */
export function addTemplateRoutes(router: Router): void {
  addRecordOperations(router, {
    path: '/applicationTemplates',
    read: applicationReadAccess,
    queryRules,
    list: () => templates,
  });
  router.on(
    'POST',
    '/applicationTemplates/{id}/instantiate',
    applicationWriteAccess,
    async (request) => {
      const { directory } = request;
      const id = request.parameter('id').toLowerCase();
      const template = templates.find((each) => each.id === id);
      if (!template) throw objectNotFound(id);
      const { displayName } = request.json();
      if (typeof displayName !== 'string' || displayName === '')
        throw badRequest("A value is required for property 'displayName'.", 'displayName');
      const [application, principal] = await directory.sql.transaction(async () => {
        const [objectId, appId] = [randomUUID(), randomUUID()];
        const empty = {
          ...emptyApplication(directory, appId),
          applicationTemplateId: template.id,
        };
        const stored = await directory.objects.create(
          applicationType,
          objectId,
          await applyValuesToApplication(directory, objectId, empty, { displayName }),
        );
        const newPrincipal = await newServicePrincipal(request, { appId }, {});
        const body = { ...newPrincipal.body, applicationTemplateId: template.id };
        return [
          stored,
          await directory.objects.create(servicePrincipalType, newPrincipal.id, body),
        ] as const;
      });
      const body = {
        application: present(directory, application),
        servicePrincipal: present(directory, principal),
      };
      return created(
        request.withContext(`${directory.namespace}.applicationServicePrincipal`, body),
      );
    },
  );
}
