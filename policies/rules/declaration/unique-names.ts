import { defineRule } from '../../engine/rule.js';
import { isUnified } from '../../engine/stack-index.js';
import { principalKinds } from '../../../kinds/principal/principal.js';

// Rules about values that must be unique.

/** What a check of construct trees says of a construct with forEach. */
const sharedByEntries = (what: string): string =>
  `all entries of its forEach have the ${what} "{given}"; give each its own, with iterator.key or iterator.value in it`;

export const appNameUnique = defineRule({
  id: 'app-name-unique',
  title: 'No two apps and no two environments have the same name in the cloud.',
  why: 'They share a resource group: the second would overwrite the first, and the official provider fails half-way through the apply.',
  severity: 'error',
  source: 'the official provider: a resource that exists already must be imported',
  sections: ['containerApps', 'environments'],
  scope: 'stack',
  reads: ['name'],
  messages: {
    taken: '"{other}" already has the name "{given}"',
    sharedByEntries: sharedByEntries('name'),
  },
  check({ section, name, value, origin }, context) {
    const text = value.name ?? name;
    const other = context.index.recordUniqueValue(
      'app-name-unique',
      `${section}/${text}`,
      name,
      origin.terraformAddress,
    );
    if (other !== undefined)
      context.report({ messageId: 'taken', path: ['name'], parameters: { given: text, other } });
  },
});

export const appDomainUnique = defineRule({
  id: 'app-domain-unique',
  title: 'No two apps have the same domain.',
  why: 'The hosting service refuses the second one only after it has created the app.',
  severity: 'error',
  source: 'the hosting service: a domain leads to one app',
  sections: ['containerApps'],
  scope: 'stack',
  whenDeclared: 'customDomains',
  reads: ['customDomains'],
  messages: {
    taken: '"{other}" already has the domain {domain}',
    sharedByEntries: sharedByEntries('domain'),
  },
  check({ name, value, origin }, context) {
    for (const domain of Object.keys(value.customDomains ?? {})) {
      const other = context.index.recordUniqueValue(
        'app-domain-unique',
        domain,
        name,
        origin.terraformAddress,
      );
      const path = ['customDomains', domain];
      if (other !== undefined)
        context.report({ messageId: 'taken', path, at: 'key', parameters: { domain, other } });
    }
  },
});

export const groupMailNicknameUnique = defineRule({
  id: 'group-mail-nickname-unique',
  title: 'No two unified groups have the same mail nickname.',
  why: 'A nickname is the address of the group: the directory refuses the second one half-way through an apply.',
  severity: 'error',
  source:
    'Directory rules, "Group properties" (mailNickname: unique for unified groups in the organization)',
  sections: ['groups'],
  scope: 'stack',
  reads: ['mailNickname'],
  messages: {
    taken: '"{other}" already has the mail nickname "{given}"',
    sharedByEntries: sharedByEntries('mail nickname'),
  },
  check({ name, value, origin }, context) {
    if (!isUnified(value)) return;
    const text = value.mailNickname ?? name;
    const other = context.index.recordUniqueValue(
      'group-mail-nickname-unique',
      text,
      name,
      origin.terraformAddress,
    );
    if (other !== undefined)
      context.report({
        messageId: 'taken',
        path: ['mailNickname'],
        parameters: { given: text, other },
      });
  },
});

export const itemNameUnique = defineRule({
  id: 'item-name-unique',
  title: 'No two items of one type in a workspace have the same name.',
  why: 'The service refuses the second one (ItemDisplayNameAlreadyInUse) half-way through an apply.',
  severity: 'error',
  source: 'Items rules, "Errors" 2 (ItemDisplayNameAlreadyInUse)',
  sections: ['eventhouses', 'eventstreams'],
  scope: 'stack',
  reads: ['displayName', 'workspace'],
  messages: {
    taken: '"{other}" in the same workspace already has the name "{given}"',
    sharedByEntries: sharedByEntries('name'),
  },
  check({ section, name, value, origin }, context) {
    const other = context.index.recordUniqueValue(
      'item-name-unique',
      `${section}/${value.workspace}/${value.displayName}`,
      name,
      origin.terraformAddress,
    );
    if (other !== undefined)
      context.report({ messageId: 'taken', path: ['displayName'], parameters: { other } });
  },
});

export const principalTwice = defineRule({
  id: 'principal-twice',
  title: 'No two principals are the same user, service principal, device, contact or group.',
  why: 'Lists that name both look longer than they are: two such owners are one, and the second such member fails half-way through an apply.',
  severity: 'warning',
  source:
    'Directory rules, "Group relationships" (owners and members are references, each at most once)',
  sections: ['principals'],
  scope: 'stack',
  reads: ['user', 'servicePrincipal', 'device', 'contact', 'group'],
  messages: { twice: 'the {kind} "{given}" is the principal "{other}" already' },
  check({ name, value }, context) {
    for (const kind of principalKinds) {
      const text = value[kind];
      if (typeof text !== 'string') continue;
      const other = context.index.recordUniqueValue('principal-twice', `${kind} ${text}`, name);
      if (other !== undefined)
        context.report({ messageId: 'twice', path: [kind], parameters: { kind, other } });
    }
  },
});

export const workspaceNameUnique = defineRule({
  id: 'workspace-name-unique',
  title: 'No two workspaces have the same name.',
  why: 'The service refuses the second one half-way through an apply.',
  severity: 'error',
  source: 'Items rules, "Errors" 2 (ItemDisplayNameAlreadyInUse); the service of the workspaces',
  sections: ['workspaces'],
  scope: 'stack',
  reads: ['displayName'],
  messages: {
    taken: '"{other}" already has the name "{given}"',
    sharedByEntries: sharedByEntries('name'),
  },
  check({ name, value, origin }, context) {
    const other = context.index.recordUniqueValue(
      'workspace-name-unique',
      String(value.displayName),
      name,
      origin.terraformAddress,
    );
    if (other !== undefined)
      context.report({ messageId: 'taken', path: ['displayName'], parameters: { other } });
  },
});
