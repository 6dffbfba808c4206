import { DirectoryError, type ErrorDetail } from '../http/errors.js';
import type { Directory } from '../kernel/directory.js';
import type { Body, StoredObject } from '../store/objects.js';
import { isUnified } from './kinds.js';
import { tenantSetting } from './settings.js';

/** Names to be held against the policy. */
export interface Names {
  readonly displayName?: string;
  readonly mailNickname?: string;
}

const attributes: Readonly<Record<string, string>> = {
  Department: 'department',
  Company: 'companyName',
  Office: 'officeLocation',
  StateOrProvince: 'state',
  CountryOrRegion: 'country',
  Title: 'jobTitle',
};

/** What the naming policy has against names: prefix and suffix first, then blocked words. */
export async function namingViolations(directory: Directory, names: Names, creator: StoredObject | undefined): Promise<ErrorDetail[]> {
  const requirement = (await tenantSetting(directory, 'Group.Unified', 'PrefixSuffixNamingRequirement')) ?? '';
  const words = ((await tenantSetting(directory, 'Group.Unified', 'CustomBlockedWordsList')) ?? '').split(',').map((word) => word.trim());
  const given = (['displayName', 'mailNickname'] as const).filter((name) => names[name] !== undefined);
  const affixes = given.flatMap((name) => affixViolation(name, names[name] ?? '', requirement, creator?.body ?? {}));
  const blocked = given.flatMap((name) => blockedViolation(name, names[name] ?? '', words.filter(Boolean)));
  return [...affixes, ...blocked];
}

/** @throws DirectoryError 400 when a new unified group's names break the policy. */
export async function checkNamingPolicy(directory: Directory, group: Body, creator: StoredObject | undefined): Promise<void> {
  if (!isUnified(group)) return;
  const names = { displayName: String(group['displayName']), mailNickname: String(group['mailNickname']) };
  const violations = await namingViolations(directory, names, creator);
  if (violations[0]) throw new DirectoryError(400, 'Request_BadRequest', violations[0].message, violations);
}

function affixViolation(target: string, value: string, requirement: string, creator: Body): ErrorDetail[] {
  if (requirement === '') return [];
  const at = requirement.indexOf('[GroupName]');
  const prefix = fill(at < 0 ? requirement : requirement.slice(0, at), creator);
  const suffix = at < 0 ? '' : fill(requirement.slice(at + '[GroupName]'.length), creator);
  if (value.startsWith(prefix) && value.endsWith(suffix) && value.length >= prefix.length + suffix.length) return [];
  return [
    {
      code: 'MissingPrefixSuffix',
      target,
      message: `The ${target} is missing a required prefix or suffix of your organization's group naming policy.`,
      prefix,
      suffix,
    },
  ];
}

/** Replaces the tokens by the creator's attributes; unknown text in brackets is kept. */
function fill(text: string, creator: Body): string {
  return text.replace(/\[(\w+)\]/g, (token, name: string) => {
    const attribute = attributes[name];
    return attribute === undefined ? token : String(creator[attribute] ?? '');
  });
}

function blockedViolation(target: string, value: string, words: readonly string[]): ErrorDetail[] {
  const word = words.find((each) => value.toLowerCase().includes(each.toLowerCase()));
  if (word === undefined) return [];
  return [{ code: 'ContainsBlockedWord', target, message: `The ${target} contains the word '${word}', which your organization blocks.` }];
}
