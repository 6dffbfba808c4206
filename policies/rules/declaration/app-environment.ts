import { isOwnEnvironment } from '../../engine/own-environment.js';
import { defineRule } from '../../engine/rule.js';
import { abbreviateList } from '../../../core/text/abbreviated-list.js';
import type { StackIndex } from '../../engine/stack-index.js';

const environmentListByIndex = new WeakMap<StackIndex, string | undefined>();

export const appEnvironment = defineRule({
  id: 'app-environment',
  title: 'An app names its environment when the stack declares environments.',
  why: 'An app that names none gets a separate environment instead of a declared one.',
  severity: 'info',
  source: 'the constructs: the environment of the stack is made for apps that name none',
  sections: ['containerApps'],
  scope: 'stack',
  reads: ['environment'],
  messages: {
    none: 'the app names no environment and gets a separate one; declared: {declared}',
    sameAsStack:
      'the app gets the environment that is named {given} in Terraform, after the stack, as the declared one: name it here, or give it another key',
  },
  check({ value }, context) {
    if (value.environment !== undefined) return;
    const { index } = context;
    const { stack = '' } = index.settings;
    const namedAsStack = index.find('environments', stack);
    if (namedAsStack !== undefined && !isOwnEnvironment(namedAsStack))
      return context.report({
        messageId: 'sameAsStack',
        path: ['environment'],
        parameters: { given: stack },
        severity: 'error',
      });
    if (!environmentListByIndex.has(index))
      environmentListByIndex.set(index, describeEnvironments(index));
    const names = environmentListByIndex.get(index);
    if (names !== undefined)
      context.report({ messageId: 'none', path: ['environment'], parameters: { declared: names } });
  },
});

/** The names of the declared environments, found once for all apps; undefined if there are none. */
function describeEnvironments(index: StackIndex): string | undefined {
  const names = index
    .all('environments')
    .filter((environment) => !isOwnEnvironment(environment))
    .map(({ name }) => name);
  return names.length === 0 ? undefined : abbreviateList(names);
}
