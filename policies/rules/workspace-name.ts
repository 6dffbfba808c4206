import { defineRule } from '../engine/rule.js';

/** A workspace has a name that is not reserved. */
export const workspaceName = defineRule({
  id: 'workspace-name',
  title: 'The name of a workspace has 1 to 256 characters and is not reserved.',
  why: 'The service refuses it.',
  severity: 'error',
  source: 'the official provider; Items rules, paths with workspaceId',
  sections: ['workspaces'],
  claims: [{ section: 'workspaces', path: 'displayName', as: { refuses: 'reserved' } }],
  messages: {
    maxLength: 'the name has {length} characters; at most {limit} are allowed',
    minLength: 'the name is empty',
    pattern: 'the name has no character that is not blank',
    reserved: '{words}',
  },
});
