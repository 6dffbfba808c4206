import { defineResourceRule } from 'castellan/policies';

/** The prefix of the names of each type: the abbreviation that the cloud's own guide recommends. */
const prefixes: Readonly<Record<string, string>> = {
  azurerm_resource_group: 'rg-',
  azurerm_container_app: 'ca-',
  azurerm_container_app_environment: 'cae-',
  azurerm_container_registry: 'cr',
  azurerm_key_vault: 'kv-',
  azurerm_log_analytics_workspace: 'log-',
  azurerm_storage_account: 'st',
  azurerm_subnet: 'snet-',
  azurerm_user_assigned_identity: 'id-',
  azurerm_virtual_network: 'vnet-',
};

/** Requires that the name of a resource begins with the abbreviation of its type. */
export const resourceNames = defineResourceRule({
  id: 'resource-names',
  title: 'The name of a resource begins with the abbreviation of its type.',
  why: 'In lists, bills and logs a name is all that is seen of a resource.',
  severity: 'warning',
  source: 'naming convention',
  resources: Object.keys(prefixes),
  reads: ['name'],
  options: {
    type: 'object',
    properties: { prefixes: { type: 'object', additionalProperties: { type: 'string' } } },
  },
  messages: { prefix: '"{given}" should begin with "{prefix}"' },
  check({ type, values }, context) {
    const name = values['name'];
    const prefix =
      { ...prefixes, ...(context.options['prefixes'] as object | undefined) }[type] ?? '';
    if (typeof name !== 'string' || name.startsWith(prefix)) return;
    context.report({ messageId: 'prefix', path: ['name'], parameters: { given: name, prefix } });
  },
});

/** Requires tags, such as the owner, on each resource that supports tags. */
export const resourceTags = defineResourceRule({
  id: 'resource-tags',
  title: 'A resource that takes tags has those that everyone agreed on.',
  why: 'Without them no bill and no alarm finds its team.',
  severity: 'error',
  source: 'tagging convention',
  resources: ['*'],
  reads: ['tags'],
  options: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
  messages: { missing: '{given} lacks the tag "{tag}"' },
  check({ address, type, values, actions }, context) {
    if (!type.startsWith('azurerm_') || !('tags' in values) || actions.includes('delete')) return;
    const tags = (values['tags'] ?? {}) as Readonly<Record<string, unknown>>;
    for (const tag of (context.options['tags'] as readonly string[] | undefined) ?? ['owner'])
      if (tags[tag] === undefined || tags[tag] === '')
        context.report({
          messageId: 'missing',
          path: ['tags'],
          parameters: { given: address, tag },
        });
  },
});
