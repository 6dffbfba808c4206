import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ResourceKind } from '../kind.js';

/**
 * Types that answer a creating PUT with 200; all others with 201. Clients refuse the other status.
 * Source of these lists: the responses in the public REST API specifications.
 */
const typesCreatedWithOk = [
  /\/privateendpointconnections$/,
  /^microsoft\.app\/managedenvironments\/(certificates|daprcomponents|storages)$/,
  /^microsoft\.app\/connectedenvironments\/(certificates|daprcomponents|storages)$/,
  /^microsoft\.compute\/(availabilitysets|diskaccesses|diskencryptionsets|disks|snapshots)$/,
  /^microsoft\.compute\/virtualmachinescalesets\/virtualmachines$/,
  /^microsoft\.dbfor(mysql|postgresql)\/servers\/(administrators|keys|securityalertpolicies)$/,
  /^microsoft\.dbforpostgresql\/servers\/configurations$/,
  /^microsoft\.dbformysql\/(flexible)?servers\/(backups|configurations)$/,
  /^microsoft\.documentdb\/.*$/,
  /^microsoft\.(eventhub|relay|servicebus)\/namespaces\/.*$/,
  /^microsoft\.insights\/(components(\/.*)?|diagnosticsettings|metricalerts|webtests)$/,
  /^microsoft\.keyvault\/(managedhsms(\/.*)?|vaults\/keys)$/,
  /^microsoft\.operationalinsights\/(clusters|querypacks(\/queries)?)$/,
  /^microsoft\.operationalinsights\/workspaces\/(linkedstorageaccounts|savedsearches|tables)$/,
  /^microsoft\.search\/searchservices\/sharedprivatelinkresources$/,
  /^microsoft\.sql\/.*\/(baselines|extensions|replicationlinks|rules)$/,
  /^microsoft\.sql\/.*\/(advancedthreatprotection|(devops|extended)?auditing)settings$/,
  /^microsoft\.sql\/.*\/(backup(long|short)termretention|connection|securityalert)policies$/,
  /^microsoft\.sql\/.*\/(dtc|encryptionprotector|ledgerdigestuploads|maintenancewindows)$/,
  /^microsoft\.sql\/managedinstances\/(serverconfigurationoptions|sqlagent)$/,
  /^microsoft\.storage\/storageaccounts\/(inventorypolicies|.*\/immutabilitypolicies)$/,
  /^microsoft\.storage\/storageaccounts(\/(blob|file|queue|table)services)?$/,
  /^microsoft\.storage\/storageaccounts\/(queue|table)services\/.*$/,
  /^microsoft\.storage\/storageaccounts\/(localusers|managementpolicies|objectreplicationpolicies)$/,
  /^microsoft\.web\/(certificates|serverfarms(\/.*)?|sites(\/.*)?|sourcecontrols|staticsites(\/.*)?)$/,
];

/** Types that answer every PUT with 201. */
const typesAlwaysCreated = [
  /^microsoft\.authorization\/(policy(assignments|definitions|setdefinitions)|roledefinitions)$/,
  /^microsoft\.authorization\/role(assignment|eligibility)schedulerequests$/,
  /^microsoft\.authorization\/rolemanagementpolicyassignments$/,
  /^microsoft\.cache\/redisenterprise\/privateendpointconnections$/,
  /^microsoft\.compute\/restorepointcollections\/restorepoints$/,
  /^microsoft\.eventgrid\/(domains(\/topics)?|eventsubscriptions|partnernamespaces|topics)$/,
  /^microsoft\.eventgrid\/systemtopics\/eventsubscriptions$/,
  /^microsoft\.network\/networkwatchers\/packetcaptures$/,
  /^microsoft\.signalrservice\/(signalr|webpubsub)\/customdomains$/,
  /^microsoft\.web\/sites\/(slots\/)?functions$/,
];

/** Types that answer every PUT and PATCH with 202, and the operation to poll. */
const typesAlwaysAccepted = [/^microsoft\.dbforpostgresql\/flexibleservers(\/.*)?$/];

/** Types that answer a DELETE with 204; all others with 200. */
const typesDeletedWithNoContent = [
  /^microsoft\.app\/managedenvironments\/(httprouteconfigs|javacomponents|privateendpointconnections)$/,
  /^microsoft\.app\/sessionpools$/,
  /^microsoft\.containerregistry\/registries\/(cacherules|credentialsets)$/,
  /^microsoft\.containerservice\/managedclusters(\/.*)?$/,
  /^microsoft\.dbforpostgresql\/servergroupsv2\/(firewallrules|privateendpointconnections|roles)$/,
  /^microsoft\.dbforpostgresql\/flexibleservers(\/.*)?$/,
  /^microsoft\.documentdb\/.*$/,
  /^microsoft\.eventgrid\/topics$/,
  /^microsoft\.monitor\/(accounts|pipelinegroups)$/,
  /^microsoft\.network\/(dnsresolverdomainlists|dnsresolverpolicies|networkwatchers)(\/.*)?$/,
  /^microsoft\.network\/networkmanagers\/(commits|ipampools|verifierworkspaces)(\/.*)?$/,
  /^microsoft\.operationalinsights\/workspaces\/summarylogs$/,
  /^microsoft\.resources\/deployments$/,
  /^microsoft\.search\/searchservices\/sharedprivatelinkresources$/,
  /^microsoft\.storage\/storageaccounts\/(queueservices\/queues|tableservices\/tables)$/,
  /^microsoft\.storage\/storageaccounts\/(connectors|datashares|storagetaskassignments)$/,
  /^microsoft\.web\/sites\/(slots\/)?(functions(\/keys)?|siteextensions)$/,
];

/** The statuses of answers about a type, where they are not those of most types. */
export function answerStatuses(type: string): Pick<ResourceKind, 'putStatus' | 'deleteStatus'> {
  const matchesAny = (patterns: readonly RegExp[]): boolean =>
    patterns.some((pattern) => pattern.test(type.toLowerCase()));
  let putStatus: ResourceKind['putStatus'];
  if (matchesAny(typesAlwaysAccepted)) putStatus = 202;
  else if (matchesAny(typesAlwaysCreated)) putStatus = 201;
  else if (matchesAny(typesCreatedWithOk)) putStatus = 200;
  return {
    ...omitUndefined({ putStatus }),
    ...(matchesAny(typesDeletedWithNoContent) && { deleteStatus: 204 as const }),
  };
}
