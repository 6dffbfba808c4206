import type { PlanRule } from '../engine/plan-rule.js';

const kinds: Readonly<Record<string, string>> = {
  fabric_eventhouse: 'an eventhouse with all its data',
  fabric_workspace: 'a workspace with everything in it',
  azuread_group: 'a group with its members and what it may do',
  azuread_group_without_members: 'a group with its members and what it may do',
  azuread_application: 'a registration, and with it every sign-in that uses it',
  azuread_application_registration: 'a registration, and with it every sign-in that uses it',
};

/** A plan destroys nothing that holds data. */
export const planLosesData: PlanRule = {
  id: 'plan-loses-data',
  title: 'A plan deletes or replaces no eventhouse, workspace, group or registration.',
  why: 'What they hold is gone: the official providers replace on changes that look harmless, such as the units of an eventhouse or the nickname of a group.',
  severity: 'error',
  source: 'spec 002, "EventhouseCreationPayload"; what the official providers replace',
  types: Object.keys(kinds),
  messages: {
    replaces: 'the plan replaces {given}: {what} is lost, because {reason} changes',
    deletes: 'the plan deletes {given}: {what} is lost',
  },
  check({ actions, address, type, replacePaths }, report) {
    if (!actions.includes('delete')) return;
    const reason = replacePaths.map((path) => path.join('.')).join(' and ') || 'something that forces it';
    const parameters = { given: address, what: kinds[type], reason };
    report({ messageId: actions.includes('create') ? 'replaces' : 'deletes', parameters });
  },
};
