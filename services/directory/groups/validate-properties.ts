import { badRequest, DirectoryError, type ErrorDetail } from '../http/errors.js';
import { noContent, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import { requireUser } from '../users/find-user.js';
import { ownProperties } from '../kernel/references.js';
import type { Body } from '../store/objects.js';
import { findGroup, callerObject } from './find-group.js';
import { checkProperties } from './property-checks.js';
import { namingViolations } from './naming-policy.js';
import type { SeedSection } from '../../common/seed.js';
import type { Directory } from '../kernel/directory.js';

const known = new Set(['entityType', 'displayName', 'mailNickname', 'onBehalfOfUserId']);

/** `POST /groups/{id}/validateProperties`: whether names would suit the naming policies. 204, or 422 with everything against them. */
export async function validateGroupProperties(request: DirectoryRequest): Promise<Reply> {
  const group = await findGroup(request);
  return validate(request, ownProperties(request.json()), group.id);
}

/** `POST /directoryObjects/validateProperties`: the same before there is a group. */
export async function validateNewProperties(request: DirectoryRequest): Promise<Reply> {
  const body = ownProperties(request.json());
  if (String(body['entityType']).toLowerCase() !== 'group') throw badRequest("entityType must be 'Group'.", 'entityType');
  return validate(request, body);
}

async function validate(request: DirectoryRequest, body: Body, ownId?: string): Promise<Reply> {
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown !== undefined) throw badRequest(`'${unknown}' is not a parameter of validateProperties.`, unknown);
  const names = Object.fromEntries(
    (['displayName', 'mailNickname'] as const).flatMap((name) =>
      body[name] === undefined || body[name] === null ? [] : [[name, body[name]]],
    ),
  ) as { displayName?: string; mailNickname?: string };
  if (Object.keys(names).length === 0) throw badRequest('displayName or mailNickname is needed.');
  checkProperties(request.directory, names);
  const onBehalfOf = body['onBehalfOfUserId'];
  const creator = typeof onBehalfOf === 'string' ? await requireUser(request, onBehalfOf) : await callerObject(request);
  const violations = [
    ...(await namingViolations(request.directory, names, creator)),
    ...(await nicknameConflict(request, names.mailNickname, ownId)),
  ];
  if (violations.length > 0)
    throw new DirectoryError(422, 'Request_UnprocessableEntity', violations.map((violation) => violation.message).join(' '), violations);
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

const labels = 'sensitivity-label';

/** Keeps the names of the sensitivity labels that a seed lists. */
export async function seedLabels(directory: Directory, section: SeedSection): Promise<void> {
  for (const { id, displayName } of section.sensitivityLabels ?? [])
    if (typeof id === 'string') await directory.items.put(labels, '', id.toLowerCase(), { displayName });
}

/** The `assignedLabels` of a body as pairs of id and name, as far as the name is known. */
export async function namedLabels(directory: Directory, given: Body): Promise<Body> {
  if (!Array.isArray(given['assignedLabels'])) return given;
  const pairs = (given['assignedLabels'] as Body[]).map(async ({ labelId, displayName }) => ({
    labelId,
    displayName: displayName ?? (await directory.items.get(labels, '', String(labelId).toLowerCase()))?.body['displayName'] ?? null,
  }));
  return { ...given, assignedLabels: await Promise.all(pairs) };
}
