import { defineRule } from '../../engine/rule.js';
import { isUnified } from '../../engine/stack-index.js';

export const changeImmutable = defineRule({
  id: 'change-immutable',
  title:
    'Hidden membership, isAssignableToRole, uniqueName and the label of a security group are never changed.',
  why: 'They can be set at creation only: the directory refuses the change, or the official provider replaces the group.',
  severity: 'error',
  source:
    'Directory rules, "Group properties" (visibility, isAssignableToRole, assignedLabels, uniqueName)',
  sections: ['groups'],
  scope: 'change',
  messages: {
    changed:
      '{property} was {before} and can never be changed; delete the group and declare another one if you must',
  },
  check({ name, value }, context) {
    const before = context.base?.find('groups', name)?.value;
    if (before === undefined) return;
    const report = (
      property: 'visibility' | 'isAssignableToRole' | 'uniqueName' | 'assignedLabels',
      oldValue: unknown,
    ): void =>
      context.report({
        messageId: 'changed',
        path: [property],
        parameters: { given: value[property] ?? 'unset', property, before: oldValue },
      });
    const hiddenCount = [before, value].filter(
      ({ visibility }) => visibility === 'HiddenMembership',
    ).length;
    if (hiddenCount === 1) report('visibility', before.visibility ?? 'unset');
    if ((before.isAssignableToRole ?? false) !== (value.isAssignableToRole ?? false))
      report('isAssignableToRole', before.isAssignableToRole ?? false);
    if (before.uniqueName !== undefined && before.uniqueName !== value.uniqueName)
      report('uniqueName', before.uniqueName);
    const labels = [before, value].map(({ assignedLabels = [] }) =>
      assignedLabels.map(({ labelId }) => labelId).join(' '),
    );
    if (!isUnified(before) && labels[0] !== '' && labels[0] !== labels[1])
      report('assignedLabels', labels[0]);
  },
});
