import { defineRule } from '../../engine/rule.js';
import { isGuid } from '../../../core/values/guid.js';

export const principalLookup = defineRule({
  id: 'principal-lookup',
  title: 'A device or a contact is given by its object id.',
  why: 'No Terraform provider finds one by its name: the stack can be checked but not synthesized.',
  severity: 'info',
  source: 'the official provider has no data source for devices and contacts',
  sections: ['principals'],
  reads: ['device', 'contact'],
  messages: { name: 'no provider finds the {kind} "{given}" by its name: use its object id' },
  check({ value }, context) {
    for (const kind of ['device', 'contact'] as const) {
      const text = value[kind];
      if (text === undefined || isGuid(text) || text.includes('${')) continue;
      context.report({ messageId: 'name', path: [kind], parameters: { kind } });
    }
  },
});
