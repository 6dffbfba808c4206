import type { UnservedFeature } from '../../common/not-served.js';

/** The features of the cloud's interface of workspaces that this service does not have. */
export const notServedByItems: readonly UnservedFeature[] = [
  {
    id: 'git',
    feature: 'the connection of workspaces with Git',
    alternative: 'Keep definitions in your repository and deploy them by Terraform.',
    pathPattern: /^\/workspaces\/[^/]+\/git\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/git/status',
  },
  {
    id: 'jobs',
    feature: 'jobs and schedules of items',
    alternative:
      'Nothing runs in the items of the sandbox; eventstreams can be paused and resumed.',
    pathPattern: /^\/workspaces\/[^/]+\/items\/[^/]+\/jobs\b/i,
    example:
      'POST /workspaces/00000000-0000-4000-8000-000000000001/items/00000000-0000-4000-8000-000000000002/jobs/instances',
  },
  {
    id: 'onelake',
    feature: 'shortcuts, data access roles and files of items',
    alternative: 'Items are described only: they hold no data.',
    pathPattern:
      /^\/workspaces\/[^/]+\/items\/[^/]+\/(?:shortcuts|dataAccessRoles|externalDataShares)\b|^\/(?:externalDataShares|workspaces\/[^/]+\/oneLake)|^\/workspaces\/[^/]+\/lakehouses\/[^/]+\/(?:tables|livyApi)\b/i,
    example:
      'GET /workspaces/00000000-0000-4000-8000-000000000001/items/00000000-0000-4000-8000-000000000002/shortcuts',
  },
  {
    id: 'recovery',
    feature: 'the recovery of deleted items',
    alternative: '`castellan sandbox save` and `restore` return to an earlier state.',
    pathPattern: /^\/workspaces\/[^/]+\/recoverableItems\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/recoverableItems',
  },
  {
    id: 'catalog',
    feature: 'the search in the catalog',
    alternative: 'GET /v1/workspaces/{id}/items lists the items of a workspace.',
    pathPattern: /^\/catalog\b/i,
    example: 'POST /catalog/search',
  },
  {
    id: 'private-endpoints',
    feature: 'networks of workspaces',
    alternative: 'Everything in the sandbox is on this machine.',
    pathPattern: /^\/workspaces\/[^/]+\/(?:managedPrivateEndpoints|networking)\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/managedPrivateEndpoints',
  },
  {
    id: 'gateways',
    feature: 'gateways and the connections that use them',
    alternative: 'Name the connection of a source by its id: it is not looked up.',
    pathPattern: /^\/(?:gateways|connections)\b/i,
    example: 'GET /gateways',
  },
  {
    id: 'deployment-pipelines',
    feature: 'deployment pipelines',
    alternative: 'Environments of castellan.yaml deploy the same items to several workspaces.',
    pathPattern: /^\/deploymentPipelines\b/i,
    example: 'GET /deploymentPipelines',
  },
  {
    id: 'spark',
    feature: 'settings of Spark',
    alternative: 'Test what depends on them against the cloud.',
    pathPattern: /^\/workspaces\/[^/]+\/(?:spark|environments\/[^/]+\/(?:staging|sparkcompute))\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/spark/settings',
  },
  {
    id: 'items-administration',
    // The tenant's tags below /admin are served: routes are matched before this list.
    feature: 'domains, and the administration of the tenant except its tags',
    alternative: 'GET /v1/workspaces lists what the caller has a role in.',
    pathPattern: /^\/(?:admin|domains)\b/i,
    example: 'GET /admin/workspaces',
  },
];
