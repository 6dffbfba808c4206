import {
  badRequest,
  DirectoryError,
  type ErrorDetail,
  noContent,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import { plainProperties } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';
import { requireUser } from '../users/user-type.js';
import { callerObject, findGroup } from './group-access.js';
import { checkProperties } from './group-rules.js';
import { isUnified } from './group-kinds.js';
import { tenantSetting } from './settings.js';

/** The names of a group to check against the policy. */
export interface GroupNames {
  /** A name that is absent is not checked. */
  readonly displayName?: string;
  readonly mailNickname?: string;
}

/**
 * The attribute of the creator that replaces a token of the naming policy, such as `[Department]`.
 */
const attributeByToken: Readonly<Record<string, string>> = {
  Department: 'department',
  Company: 'companyName',
  Office: 'officeLocation',
  StateOrProvince: 'state',
  CountryOrRegion: 'country',
  Title: 'jobTitle',
};

/** The violations of the naming policy: prefix and suffix first, then blocked words. */
export async function namingViolations(
  directory: Directory,
  names: GroupNames,
  creator: StoredObject | undefined,
): Promise<ErrorDetail[]> {
  const requirement =
    (await tenantSetting(directory, 'Group.Unified', 'PrefixSuffixNamingRequirement')) ?? '';
  const words = ((await tenantSetting(directory, 'Group.Unified', 'CustomBlockedWordsList')) ?? '')
    .split(',')
    .map((word) => word.trim());
  const properties = (['displayName', 'mailNickname'] as const).filter(
    (name) => names[name] !== undefined,
  );
  const affixViolations = properties.flatMap((name) =>
    findAffixViolations(name, names[name] ?? '', requirement, creator?.body ?? {}),
  );
  const blockedWordViolations = properties.flatMap((name) =>
    findBlockedWordViolations(name, names[name] ?? '', words.filter(Boolean)),
  );
  return [...affixViolations, ...blockedWordViolations];
}

/**
 * Checks the names of a unified group that is created or renamed.
 *
 * @param namer the user who gives the names; the policy may name their attributes.
 * @param before the group before a change: only names that differ are checked.
 * @throws DirectoryError 400 when a name violates the policy.
 */
export async function checkNamingPolicy(
  directory: Directory,
  group: Body,
  namer: StoredObject | undefined,
  before: Body = {},
): Promise<void> {
  if (!isUnified(group)) return;
  const changedNames = (['displayName', 'mailNickname'] as const).filter(
    (name) => group[name] !== before[name],
  );
  const names = Object.fromEntries(changedNames.map((name) => [name, String(group[name])]));
  const violations = await namingViolations(directory, names, namer);
  if (violations[0])
    throw new DirectoryError(400, 'Request_BadRequest', violations[0].message, violations);
}

function findAffixViolations(
  target: string,
  value: string,
  requirement: string,
  creator: Body,
): ErrorDetail[] {
  if (requirement === '') return [];
  const placeholderIndex = requirement.indexOf('[GroupName]');
  const prefix = replaceTokens(
    placeholderIndex < 0 ? requirement : requirement.slice(0, placeholderIndex),
    creator,
  );
  const suffix =
    placeholderIndex < 0
      ? ''
      : replaceTokens(requirement.slice(placeholderIndex + '[GroupName]'.length), creator);
  if (
    value.startsWith(prefix) &&
    value.endsWith(suffix) &&
    value.length >= prefix.length + suffix.length
  )
    return [];
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

/** Replaces tokens by the creator's attributes; unknown text in brackets stays. */
function replaceTokens(text: string, creator: Body): string {
  return text.replace(/\[(\w+)\]/g, (token, name: string) => {
    const attribute = attributeByToken[name];
    return attribute === undefined ? token : String(creator[attribute] ?? '');
  });
}

/** A word is blocked as a whole: `lass` does not block `Class`. */
function findBlockedWordViolations(
  target: string,
  value: string,
  words: readonly string[],
): ErrorDetail[] {
  const word = words.find((each) => containsWord(value.toLowerCase(), each.toLowerCase()));
  if (word === undefined) return [];
  return [
    {
      code: 'ContainsBlockedWord',
      target,
      message: `The ${target} contains the word '${word}', which your organization blocks.`,
    },
  ];
}

/** Whether a text contains a word with no letter or digit next to it. */
function containsWord(text: string, word: string): boolean {
  for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + 1)) {
    const [before, after] = [text.slice(0, start), text.slice(start + word.length)];
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** The parameters of `validateProperties`. */
const parameterNames = new Set(['entityType', 'displayName', 'mailNickname', 'onBehalfOfUserId']);

/**
 * `POST /groups/{id}/validateProperties`: checks names against the naming policy. 204, or 422 with
 * all violations.
 */
export async function validateGroupProperties(request: DirectoryRequest): Promise<Reply> {
  const group = await findGroup(request);
  return validateNames(request, plainProperties(request.json()), group.id);
}

/**
 * `POST /directoryObjects/validateProperties`: checks the names of a group that does not exist yet.
 * 204, or 422 with all violations.
 */
export async function validateNewProperties(request: DirectoryRequest): Promise<Reply> {
  const body = plainProperties(request.json());
  if (String(body['entityType']).toLowerCase() !== 'group')
    throw badRequest("entityType must be 'Group'.", 'entityType');
  return validateNames(request, body);
}

async function validateNames(
  request: DirectoryRequest,
  body: Body,
  ownId?: string,
): Promise<Reply> {
  const unknown = Object.keys(body).find((name) => !parameterNames.has(name));
  if (unknown !== undefined)
    throw badRequest(`'${unknown}' is not a parameter of validateProperties.`, unknown);
  const names = Object.fromEntries(
    (['displayName', 'mailNickname'] as const).flatMap((name) =>
      body[name] === undefined || body[name] === null ? [] : [[name, body[name]]],
    ),
  ) as { displayName?: string; mailNickname?: string };
  if (Object.keys(names).length === 0) throw badRequest('displayName or mailNickname is needed.');
  checkProperties(request.directory, names);
  const onBehalfOf = body['onBehalfOfUserId'];
  const creator =
    typeof onBehalfOf === 'string'
      ? await requireUser(request, onBehalfOf)
      : await callerObject(request);
  const violations = [
    ...(await namingViolations(request.directory, names, creator)),
    ...(await nicknameConflict(request, names.mailNickname, ownId)),
  ];
  if (violations.length > 0)
    throw new DirectoryError(
      422,
      'Request_UnprocessableEntity',
      violations.map((violation) => violation.message).join(' '),
      violations,
    );
  return noContent;
}

async function nicknameConflict(
  request: DirectoryRequest,
  nickname: string | undefined,
  ownId: string | undefined,
): Promise<ErrorDetail[]> {
  if (nickname === undefined) return [];
  const others = await request.directory.objects.findBy('group', 'mail_nickname', nickname);
  if (!others.some((group) => group.id !== ownId && group.body['mailEnabled'] === true)) return [];
  const message = 'Another object with the same value for property mailNickname already exists.';
  return [{ code: 'PropertyConflict', target: 'mailNickname', message }];
}
