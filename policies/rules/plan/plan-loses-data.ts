import { deletionLossOf } from '../../../kinds/stack/deletion-losses.js';
import type { PlanRule } from '../../engine/plan-rule.js';

export const planLosesData: PlanRule = {
  id: 'plan-loses-data',
  title: 'A plan deletes or replaces no eventhouse, database, workspace, group or registration.',
  why: 'What they hold is gone: the official providers replace on changes that look harmless, such as the units of an eventhouse or the nickname of a group.',
  severity: 'error',
  source: 'Items rules, "EventhouseCreationPayload"; what the official providers replace',
  types: [
    'azuread_application',
    'azuread_application_registration',
    'azuread_group',
    'azuread_group_without_members',
    'castellan_eventhouse',
    'fabric_eventhouse',
    'fabric_kql_database',
    'fabric_workspace',
  ],
  messages: {
    replaces: 'the plan replaces {given}: {what} is lost, because {reason} changes',
    replacesForReason: 'the plan replaces {given}: {what} is lost, because {reason}',
    deletes: 'the plan deletes {given}: {what} is lost{reason}',
    deposed: 'the plan deletes what {given} was before it was replaced: {what} is lost',
  },
  check({ actions, actionReason = '', address, deposed, type, replacePaths }, report) {
    if (!actions.includes('delete')) return;
    const parameters = { given: address, what: deletionLossOf(type) };
    if (deposed !== undefined) report({ messageId: 'deposed', parameters });
    else if (!actions.includes('create')) {
      const reason = deletions[actionReason];
      report({
        messageId: 'deletes',
        parameters: { ...parameters, reason: reason === undefined ? '' : `, because ${reason}` },
      });
    } else if (Object.hasOwn(replacements, actionReason)) {
      report({
        messageId: 'replacesForReason',
        parameters: { ...parameters, reason: replacements[actionReason] },
      });
    } else {
      const paths = replacePaths.map((path) => path.join('.'));
      const innermost = paths.filter(
        (path) => !paths.some((other) => other.startsWith(`${path}.`)),
      );
      const changed = innermost.join(' and ') || 'something that forces it';
      report({ messageId: 'replaces', parameters: { ...parameters, reason: changed } });
    }
  },
};

/** Reasons for replacements that no changed attribute forces. */
const replacements: Readonly<Record<string, string>> = {
  replace_because_tainted: 'it is marked as tainted',
  replace_by_request: 'terraform plan was asked to (-replace)',
  replace_by_triggers: 'something in its replace_triggered_by changes',
};

/** Reasons for deletions. */
const deletions: Readonly<Record<string, string>> = {
  delete_because_no_resource_config: 'the configuration no longer has it',
  delete_because_no_module: 'the module that held it is gone',
  delete_because_wrong_repetition: 'count or for_each was added or removed: a moved block keeps it',
  delete_because_count_index: 'count is smaller',
  delete_because_each_key: 'for_each no longer has its key',
  delete_because_no_move_target: 'it was moved to an address that the configuration lacks',
};
