import { defineRule } from '../engine/rule.js';
import type { SectionProps } from '../engine/stack-index.js';
import { isDynamic, isUnified } from '../engine/stack-index.js';

type Facts = Readonly<Record<string, unknown>>;

const group = (name: string, value: SectionProps['groups']): Facts => ({
  kind: isUnified(value) ? 'unified' : 'security',
  mailNickname: value.mailNickname ?? name,
  dynamicMembership: isDynamic(value) ? 'a rule' : 'members',
  resourceBehaviorOptions: [...(value.resourceBehaviorOptions ?? [])].sort().join(' '),
  resourceProvisioningOptions: [...(value.resourceProvisioningOptions ?? [])].sort().join(' '),
});
const eventhouse = (value: SectionProps['eventhouses']): Facts => ({
  minimumConsumptionUnits: value.minimumConsumptionUnits ?? value.creationPayload?.minimumConsumptionUnits,
  workspace: value.workspace,
});

/** What the official providers replace is not changed by accident. */
export const changeReplaces = defineRule({
  id: 'change-replaces',
  title: 'Nothing is changed that makes the official providers delete and create anew.',
  why: 'An eventhouse loses its data when its units change; a group loses what was granted to it when its kind, nickname or way of membership changes.',
  severity: 'error',
  source: 'what the official providers replace; spec 002, "EventhouseCreationPayload"',
  sections: ['groups', 'eventhouses', 'eventstreams', 'containerApps'],
  scope: 'change',
  messages: { replaced: '{property} was {before}, now {given}: the {what} is deleted and created anew{loss}' },
  check({ section, name, value }, context) {
    const before = context.base?.find(section, name)?.value;
    if (before === undefined) return;
    const [old, next] = [factsOf(section, name, before), factsOf(section, name, value)];
    const words = { groups: 'group', eventhouses: 'eventhouse', eventstreams: 'eventstream', containerApps: 'app' } as const;
    const losses = {
      groups: ', without what was granted to it',
      eventhouses: ', without its data',
      eventstreams: '',
      containerApps: '',
    } as const;
    for (const property of Object.keys(next)) {
      if (old[property] === next[property]) continue;
      const parameters = {
        property,
        before: old[property] ?? 'unset',
        given: next[property] ?? 'unset',
        what: words[section],
        loss: losses[section],
      };
      context.report({ messageId: 'replaced', path: [property], parameters });
    }
  },
});

function factsOf(section: 'groups' | 'eventhouses' | 'eventstreams' | 'containerApps', name: string, value: unknown): Facts {
  if (section === 'groups') return group(name, value as SectionProps['groups']);
  if (section === 'eventhouses') return eventhouse(value as SectionProps['eventhouses']);
  if (section === 'eventstreams') return { workspace: (value as SectionProps['eventstreams']).workspace };
  const app = value as SectionProps['containerApps'];
  return { name: app.name ?? name, environment: app.environment };
}
