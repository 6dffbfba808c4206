import { dirname, join, relative } from 'node:path';
import type { Finding } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { PackConfig, PolicyConfig, RuleSetting } from '../../../kinds/policy/schema.js';
import { type Locate, makeFinding } from '../../engine/finding-maker.js';
import { valueAt } from '../../engine/schema-validation.js';
import { policyRule } from '../../rules/policy-rules.js';
import { overlaySetting } from './applied-policy.js';

/** One policy file of several that apply together. */
export interface PolicyFile {
  readonly file: string;
  readonly config: PolicyConfig;
  readonly locate: Locate;
  /** The files that it includes, also through others. */
  readonly includedFiles: ReadonlySet<string>;
}

/** Several policies as one. */
export interface MergedPolicy {
  readonly config: PolicyConfig;
  /** Locates a path of `config` in the file that sets it. */
  readonly locate: Locate;
  /** The mistakes in the files, and settings that locked rules refuse. */
  readonly findings: readonly Finding[];
}

const listProperties = ['scopes', 'suppressions', 'packs', 'locked'] as const;
type ListName = (typeof listProperties)[number];

/**
 * Merges a policy with those that it includes: later settings win, lists are joined, and limits of
 * suppressions are the strictest. Settings of a locked rule count only in the file that locks it and
 * in those that this file includes; others, and those that a scope has for it, are findings and have
 * no effect.
 *
 * @param files each after those that it includes.
 */
export function mergePolicies(
  files: readonly PolicyFile[],
  findings: readonly Finding[],
): MergedPolicy {
  const includingPolicy = files.at(-1);
  const includingFolder = dirname(includingPolicy?.file ?? '');
  const locked = new Set(files.flatMap(({ config }) => config.locked ?? []));
  const rules: Record<string, RuleSetting> = {};
  const lockFindings: Finding[] = [];
  const refuse = (each: PolicyFile, id: string, path: ConfigPath, by: PolicyFile): void => {
    const parameters = { given: id, by: by.file };
    const report = { messageId: 'locked', path, at: 'key', parameters } as const;
    lockFindings.push(makeFinding(policyRule, report, { path: [], origin: {} }, each.locate));
  };
  const locks = (id: string) => (each: PolicyFile) => each.config.locked?.includes(id) === true;
  for (const each of files) {
    for (const [id, setting] of Object.entries(each.config.rules ?? {})) {
      const refusing = files
        .filter(locks(id))
        .find((other) => other !== each && !other.includedFiles.has(each.file));
      if (refusing === undefined) rules[id] = overlaySetting(rules[id], setting);
      else refuse(each, id, ['rules', id], refusing);
    }
    for (const [index, scope] of (each.config.scopes ?? []).entries())
      for (const id of Object.keys(scope.rules)) {
        const refusing = files.find(locks(id));
        if (refusing !== undefined) refuse(each, id, ['scopes', index, 'rules', id], refusing);
      }
  }
  const joinLists = <Name extends ListName>(name: Name) =>
    files.flatMap(({ config }): readonly unknown[] => config[name] ?? []);
  const scopes = (joinLists('scopes') as NonNullable<PolicyConfig['scopes']>).map((scope) => ({
    ...scope,
    rules: Object.fromEntries(Object.entries(scope.rules).filter(([id]) => !locked.has(id))),
  }));
  const packs = files.flatMap(({ file, config }) =>
    (config.packs ?? []).map((pack) =>
      relocatePack(pack, relative(includingFolder, dirname(file))),
    ),
  );
  const config = {
    version: 1,
    rules,
    scopes,
    suppressions: joinLists('suppressions'),
    packs,
    locked: [...locked],
    suppressionLimits: strictestLimits(files),
    baseline: includingPolicy?.config.baseline,
  } as PolicyConfig;
  return { config, locate: locatorOf(files), findings: [...findings, ...lockFindings] };
}

/**
 * A pack with the paths of its files relative to the folder of the policy that includes its own.
 */
function relocatePack(pack: PackConfig, folder: string): PackConfig {
  if (folder === '') return pack;
  const moved = { ...pack };
  if (pack.file !== undefined) moved.file = join(folder, pack.file);
  if (pack.data !== undefined) moved.data = join(folder, pack.data);
  return moved;
}

/** The shortest time, and the owners that every file with owners names. */
function strictestLimits(files: readonly PolicyFile[]): PolicyConfig['suppressionLimits'] {
  const allLimits = files.flatMap(({ config }) => config.suppressionLimits ?? []);
  const days = allLimits.flatMap(({ longest }) =>
    longest === undefined ? [] : [parseInt(longest, 10)],
  );
  const limits: { longest?: string; approvedBy?: string[] } = {};
  if (days.length > 0) limits.longest = `${String(Math.min(...days))}d`;
  const ownerLists = allLimits.flatMap(({ approvedBy }) => (approvedBy ? [approvedBy] : []));
  const [owners, ...otherLists] = ownerLists;
  if (owners !== undefined)
    limits.approvedBy = owners.filter((each) => otherLists.every((list) => list.includes(each)));
  return limits;
}

/** Locates a path of the merged policy in the file that sets it. */
function locatorOf(files: readonly PolicyFile[]): Locate {
  return (path, at) => {
    const [name, index, ...below] = path;
    if (listProperties.includes(name as ListName) && typeof index === 'number') {
      let remaining = index;
      for (const { config, locate } of files) {
        const { length } = config[name as ListName] ?? [];
        if (remaining < length) return locate([name as string, remaining, ...below], at);
        remaining -= length;
      }
      return undefined;
    }
    const settingPolicy = files.findLast(({ config }) => valueAt(config, path) !== undefined);
    return (settingPolicy ?? files.at(-1))?.locate(path, at);
  };
}
