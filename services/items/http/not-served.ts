import type { NotServed } from '../../common/not-served.js';

/** What the cloud's interface of workspaces has, and this service has not. */
export const notServedByItems: readonly NotServed[] = [
  {
    id: 'git',
    what: 'the connection of workspaces with Git',
    instead: 'Keep definitions in your repository and deploy them by Terraform.',
    paths: /^\/workspaces\/[^/]+\/git\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/git/status',
  },
  {
    id: 'jobs',
    what: 'jobs and schedules of items',
    instead: 'Nothing runs in the items of the sandbox; eventstreams can be paused and resumed.',
    paths: /^\/workspaces\/[^/]+\/items\/[^/]+\/jobs\b/i,
    example:
      'POST /workspaces/00000000-0000-4000-8000-000000000001/items/00000000-0000-4000-8000-000000000002/jobs/instances',
  },
  {
    id: 'onelake',
    what: 'shortcuts, data access roles and files of items',
    instead: 'Items are described only: they hold no data.',
    paths:
      /^\/workspaces\/[^/]+\/items\/[^/]+\/(?:shortcuts|dataAccessRoles|externalDataShares)\b|^\/(?:externalDataShares|workspaces\/[^/]+\/oneLake)|^\/workspaces\/[^/]+\/lakehouses\/[^/]+\/(?:tables|livyApi)\b/i,
    example:
      'GET /workspaces/00000000-0000-4000-8000-000000000001/items/00000000-0000-4000-8000-000000000002/shortcuts',
  },
  {
    id: 'recovery',
    what: 'the recovery of deleted items',
    instead: '`castellan sandbox save` and `restore` return to an earlier state.',
    paths: /^\/workspaces\/[^/]+\/recoverableItems\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/recoverableItems',
  },
  {
    id: 'catalog',
    what: 'the search in the catalog',
    instead: 'GET /v1/workspaces/{id}/items lists the items of a workspace.',
    paths: /^\/catalog\b/i,
    example: 'POST /catalog/search',
  },
  {
    id: 'private-endpoints',
    what: 'networks of workspaces',
    instead: 'Everything in the sandbox is on this machine.',
    paths: /^\/workspaces\/[^/]+\/(?:managedPrivateEndpoints|networking)\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/managedPrivateEndpoints',
  },
  {
    id: 'gateways',
    what: 'gateways and the connections that use them',
    instead: 'Name the connection of a source by its id: it is not looked up.',
    paths: /^\/(?:gateways|connections)\b/i,
    example: 'GET /gateways',
  },
  {
    id: 'deployment-pipelines',
    what: 'deployment pipelines',
    instead: 'Environments of castellan.yaml deploy the same items to several workspaces.',
    paths: /^\/deploymentPipelines\b/i,
    example: 'GET /deploymentPipelines',
  },
  {
    id: 'spark',
    what: 'settings of Spark',
    instead: 'Test what depends on them against the cloud.',
    paths: /^\/workspaces\/[^/]+\/(?:spark|environments\/[^/]+\/(?:staging|sparkcompute))\b/i,
    example: 'GET /workspaces/00000000-0000-4000-8000-000000000001/spark/settings',
  },
  {
    id: 'items-administration',
    // the routes of the tenant's tags below /admin are served: they are asked first
    what: 'domains, and the administration of the tenant except its tags',
    instead: 'GET /v1/workspaces lists what the caller has a role in.',
    paths: /^\/(?:admin|domains)\b/i,
    example: 'GET /admin/workspaces',
  },
];
