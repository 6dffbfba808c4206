import { defineRule } from '../engine/rule.js';

const what = {
  eventhouses: 'the eventhouse is deleted with all its data',
  workspaces: 'the workspace is deleted with everything in it',
  groups: 'the group is deleted with its members and what was granted to it',
  registrations: 'the registration is deleted, and nobody can sign in with it any more',
} as const;

/** What holds data or access is not deleted by accident. */
export const changeDeletes = defineRule({
  id: 'change-deletes',
  title: 'No eventhouse, workspace, group or registration is deleted.',
  why: 'What they hold is gone; a deleted eventhouse or workspace can not be restored.',
  severity: 'error',
  source: 'spec 001, "States and transitions"; spec 002',
  sections: ['eventhouses', 'workspaces', 'groups', 'registrations'],
  scope: 'change',
  messages: { deleted: '"{given}" is gone: {what}' },
  checkRemoved({ section, name }, context) {
    context.report({ messageId: 'deleted', parameters: { given: name, what: what[section] } });
  },
});
