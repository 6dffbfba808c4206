import { containerAppLimits } from '../limits/container-app.js';
import { defineRule } from '../engine/rule.js';

const { sum: whole } = containerAppLimits.trafficWeight;

/** The shares of the revisions add up. */
export const appTraffic = defineRule({
  id: 'app-traffic',
  title: 'Traffic shares add up to 100, and each names its revision.',
  why: 'The hosting service refuses it; the official provider plans shares that add up to 150.',
  severity: 'error',
  source: 'the official provider lets it through',
  sections: ['containerApps'],
  reads: ['revision'],
  messages: {
    sum: 'the shares add up to {given}; they must add up to 100',
    revision: 'a share names its revision: latest: true, or revision: SUFFIX',
    both: 'latest and revision exclude each other',
    single: 'several shares need revision.mode: multiple',
    twice: 'two shares are for {given}',
  },
  check({ value }, context) {
    const traffic = value.revision?.traffic;
    if (!Array.isArray(traffic)) return;
    const path = ['revision', 'traffic'];
    const seen = new Set<string>();
    let sum = 0;
    traffic.forEach((share: { readonly weight?: unknown; readonly latest?: boolean; readonly revision?: string } | null, index: number) => {
      sum += typeof share?.weight === 'number' ? share.weight : 0;
      if (share === null || typeof share !== 'object') return;
      const { latest, revision } = share;
      if (latest !== true && revision === undefined) context.report({ messageId: 'revision', path: [...path, index] });
      if (latest === true && revision !== undefined) context.report({ messageId: 'both', path: [...path, index] });
      const target = latest === true ? 'the latest revision' : revision;
      if (target !== undefined && seen.has(target))
        context.report({ messageId: 'twice', path: [...path, index], parameters: { given: target } });
      if (target !== undefined) seen.add(target);
    });
    if (sum !== whole) context.report({ messageId: 'sum', path, at: 'key', parameters: { given: sum } });
    if (traffic.length > 1 && (value.revision?.mode ?? 'single') === 'single')
      context.report({ messageId: 'single', path: ['revision', 'mode'], fix: { description: 'write mode: multiple', value: 'multiple' } });
  },
});
