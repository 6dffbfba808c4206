import { defineRule } from '../engine/rule.js';

/** An app says in which of the declared environments it runs. */
export const appEnvironment = defineRule({
  id: 'app-environment',
  title: 'An app names its environment where the stack declares some.',
  why: 'An app that names none gets an environment of its own, apart from those that are declared.',
  severity: 'info',
  source: 'the constructs: the environment of the stack is made for apps that name none',
  sections: ['containerApps'],
  scope: 'stack',
  reads: ['environment'],
  messages: { none: 'the app names no environment and gets one of its own; declared: {declared}' },
  check({ value }, context) {
    if (value.environment !== undefined) return;
    const declared = context.index.names('environments');
    if (declared.length > 0) context.report({ messageId: 'none', path: ['environment'], parameters: { declared } });
  },
});
