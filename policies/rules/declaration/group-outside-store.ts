import { group, type GroupProps, propertiesOutsideMainStore } from '../../../kinds/group/group.js';
import { defineRule } from '../../engine/rule.js';

const outsideProperties = propertiesOutsideMainStore.filter(
  (property): property is keyof GroupProps => property in group.properties,
);

export const groupOutsideStore = defineRule({
  id: 'group-outside-store',
  title: 'Properties kept outside the main store are applied by a signed-in person.',
  why: 'They go in requests of their own, which are refused for applications: an apply of a pipeline leaves the group tainted, and the next one creates it again.',
  severity: 'info',
  source: 'Directory rules, "Propagation rule"; the official provider\'s behaviour',
  sections: ['groups'],
  messages: {
    outside:
      '{properties}: set in requests of their own, which an application may not make; apply as a signed-in person',
  },
  check({ value }, context) {
    const firstProperty = outsideProperties.find((property) => value[property] !== undefined);
    if (firstProperty === undefined) return;
    const usedProperties = outsideProperties.filter((property) => value[property] !== undefined);
    context.report({
      messageId: 'outside',
      path: [firstProperty],
      at: 'key',
      parameters: { properties: usedProperties },
    });
  },
});
