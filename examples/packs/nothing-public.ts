import { defineResourceRule } from 'castellan/policies';

/**
 * Attributes by which a resource is open to the internet: what they are unless they are set, and
 * what they should be.
 */
const openings: Readonly<
  Record<string, readonly { readonly attribute: string; readonly byDefault: boolean }[]>
> = {
  azurerm_storage_account: [
    { attribute: 'public_network_access_enabled', byDefault: true },
    { attribute: 'allow_nested_items_to_be_public', byDefault: true },
  ],
  azurerm_key_vault: [{ attribute: 'public_network_access_enabled', byDefault: true }],
  azurerm_container_registry: [
    { attribute: 'public_network_access_enabled', byDefault: true },
    { attribute: 'anonymous_pull_enabled', byDefault: false },
    { attribute: 'admin_enabled', byDefault: false },
  ],
};

/** Whether a firewall lets in named networks only. */
function isFenced(values: Readonly<Record<string, unknown>>): boolean {
  const rules = [
    values['network_rules'],
    values['network_acls'],
    values['network_rule_set'],
  ].flat();
  return rules.some(
    (each) =>
      (each as { readonly default_action?: unknown } | null | undefined)?.default_action === 'Deny',
  );
}

/** Stores, vaults and registries are reached from inside. */
export const nothingPublic = defineResourceRule({
  id: 'nothing-public',
  title: 'Storage, key vaults and registries are closed to the internet.',
  why: 'The providers leave them open unless set otherwise.',
  severity: 'error',
  source: 'network baseline',
  resources: Object.keys(openings),
  messages: { open: '{given} is open to everyone: write {attribute} = false{orRules}' },
  check({ address, type, values, unknown }, context) {
    for (const { attribute, byDefault } of openings[type] ?? []) {
      if (unknown.some(([first]) => first === attribute)) context.unknown([attribute]);
      else if (
        (values[attribute] ?? byDefault) === true &&
        !(attribute === 'public_network_access_enabled' && isFenced(values))
      ) {
        const orRules =
          attribute === 'public_network_access_enabled'
            ? ', or deny by default in its network rules'
            : '';
        context.report({
          messageId: 'open',
          path: [attribute],
          parameters: { given: address, attribute, orRules },
        });
      }
    }
  },
});

interface CloudResource {
  /** Such as `Microsoft.Storage/storageAccounts@2023-05-01`. */
  readonly type?: string;
  readonly body?: { readonly properties?: Readonly<Record<string, unknown>> } | null;
}

/**
 * The same of resources that are written in the cloud's own words: what their properties must be,
 * by type without its version.
 */
const closed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'microsoft.storage/storageaccounts': {
    publicNetworkAccess: 'Disabled',
    allowBlobPublicAccess: false,
  },
  'microsoft.keyvault/vaults': { publicNetworkAccess: 'Disabled' },
  'microsoft.containerregistry/registries': {
    publicNetworkAccess: 'Disabled',
    anonymousPullEnabled: false,
    adminUserEnabled: false,
  },
};

/**
 * Stores, vaults and registries made by azapi are reached from inside; a switch that is left out
 * stays as the cloud has it: off.
 */
export const nothingPublicByAzapi = defineResourceRule<CloudResource>({
  id: 'nothing-public-azapi',
  title: 'Storage, key vaults and registries made by azapi_resource are closed to the internet.',
  why: 'The cloud leaves their network access open unless set otherwise.',
  severity: 'error',
  source: 'network baseline',
  resources: ['azapi_resource'],
  messages: { open: '{given} is open to everyone: write {property} = {value}' },
  check({ address, values, unknown }, context) {
    const properties = values.body?.properties ?? {};
    const firewall = properties['networkAcls'] as { readonly defaultAction?: unknown } | undefined;
    for (const [property, value] of Object.entries(
      closed[values.type?.split('@')[0]?.toLowerCase() ?? ''] ?? {},
    )) {
      const path = ['body', 'properties', property];
      const actual = properties[property] ?? (typeof value === 'boolean' ? value : 'Enabled');
      if (property === 'publicNetworkAccess' && firewall?.defaultAction === 'Deny') continue;
      if (unknown.some((steps) => steps.every((step, index) => step === path[index])))
        context.unknown(path);
      else if (actual !== value)
        context.report({
          messageId: 'open',
          path,
          parameters: { given: address, property, value: JSON.stringify(value) },
        });
    }
  },
});

const everyone = new Set(['*', '0.0.0.0/0', '::/0', 'Internet', 'Any']);
const administration = [22, 3389, 5985, 5986];

/** Ways of administration aren't open to the internet. */
export const noOpenAdministration = defineResourceRule({
  id: 'no-open-administration',
  title: 'No network rule lets everyone in to SSH, RDP or WinRM.',
  why: 'Such ports are tried within minutes.',
  severity: 'error',
  source: 'network baseline',
  resources: ['azurerm_network_security_rule'],
  reads: [
    'direction',
    'access',
    'source_address_prefix',
    'source_address_prefixes',
    'destination_port_range',
    'destination_port_ranges',
  ],
  messages: { open: '{given} lets everyone in to port {port}' },
  check({ address, values }, context) {
    if (values['direction'] !== 'Inbound' || values['access'] !== 'Allow') return;
    const sources = [values['source_address_prefix'], values['source_address_prefixes']].flat();
    if (!sources.some((source) => everyone.has(String(source)))) return;
    const ranges = [values['destination_port_range'], values['destination_port_ranges']]
      .flat()
      .map(String);
    const port = administration.find((each) => ranges.some((range) => includes(range, each)));
    if (port !== undefined)
      context.report({
        messageId: 'open',
        path: ['source_address_prefix'],
        parameters: { given: address, port },
      });
  },
});

function includes(range: string, port: number): boolean {
  const [from = '', to = from] = range.split('-');
  return range === '*' || (Number(from) <= port && port <= Number(to));
}
