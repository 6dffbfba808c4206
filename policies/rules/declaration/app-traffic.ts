import { containerApp } from '../../../kinds/container-app/container-app.js';
import { defineRule } from '../../engine/rule.js';

interface Share {
  /** The share of requests in percent. */
  readonly weight?: unknown;
  readonly latest?: boolean;
  /** The suffix of the revision's name. */
  readonly revision?: string;
  readonly label?: string;
}

export const appTraffic = defineRule({
  id: 'app-traffic',
  title: 'Traffic shares add up to 100, and each names its revision.',
  why: 'The hosting service refuses it; the official provider plans shares that add up to 150.',
  severity: 'error',
  source: 'the official provider lets it through',
  sections: ['containerApps'],
  whenDeclared: 'revision',
  reads: ['revision.mode', 'revision.traffic'],
  messages: {
    sum: 'the shares add up to {given}; they must add up to 100',
    revision: 'a share names its revision: latest: true, or revision: SUFFIX',
    both: 'latest and revision exclude each other',
    single: 'several shares need revision.mode: multiple',
    twice: 'two shares are for {given}',
    label: 'another share has the label "{given}"',
    old: 'in mode single only the latest revision runs: write latest: true, or mode: multiple',
  },
  check({ value }, context) {
    const traffic = value.revision?.traffic;
    if (!Array.isArray(traffic)) return;
    const path = ['revision', 'traffic'];
    const earlierTargets = new Set<string>();
    const labels = new Set<string>();
    const isSingle = (value.revision?.mode ?? 'single') === 'single';
    let sum = 0;
    traffic.forEach((share: Share | null, index: number) => {
      sum += typeof share?.weight === 'number' ? share.weight : 0;
      if (share === null || typeof share !== 'object') return;
      const { latest, revision, label } = share;
      if (label !== undefined && labels.has(label))
        context.report({ messageId: 'label', path: [...path, index, 'label'] });
      if (label !== undefined) labels.add(label);
      if (isSingle && traffic.length === 1 && latest !== true && revision !== undefined)
        context.report({
          messageId: 'old',
          path: [...path, index, 'revision'],
          parameters: { given: revision },
        });
      if (latest !== true && revision === undefined)
        context.report({ messageId: 'revision', path: [...path, index] });
      if (latest === true && revision !== undefined)
        context.report({ messageId: 'both', path: [...path, index] });
      const target = latest === true ? 'the latest revision' : revision;
      if (target !== undefined && earlierTargets.has(target))
        context.report({
          messageId: 'twice',
          path: [...path, index],
          parameters: { given: target },
        });
      if (target !== undefined) earlierTargets.add(target);
    });
    if (sum !== containerApp.limits.traffic)
      context.report({ messageId: 'sum', path, at: 'key', parameters: { given: sum } });
    if (traffic.length > 1 && isSingle)
      context.report({
        messageId: 'single',
        path: ['revision', 'mode'],
        fix: { description: 'write mode: multiple', value: 'multiple' },
      });
  },
});
