import { badRequest, objectNotFound, referenceExists, referenceMissing } from '../http/errors.js';
import { noContent, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { idOfRefBody, idOfTarget, resolveReference } from '../kernel/references.js';
import { navigationRoutes } from '../membership/navigation.js';
import { targetsOf } from '../membership/sources.js';
import type { StoredObject } from '../store/objects.js';
import { findGroup, readGroup, requireRoleOrOwnership, requireVisible, writeGroup } from './find-group.js';
import { isUnified } from './kinds.js';

const lists = ['acceptedSenders', 'rejectedSenders'] as const;
type SenderList = (typeof lists)[number];

/** Who may and who may not post to a unified group. No one is in both lists. */
export function senderRoutes(router: Router): void {
  for (const list of lists) {
    navigationRoutes(router, {
      path: `/groups/{id}/${list}`,
      access: readGroup,
      find: findMailGroup,
      source: (group, type) => targetsOf(group.number, list, type),
    });
    router.on('POST', `/groups/{id}/${list}/$ref`, writeGroup, (request) => add(request, list));
    router.on('DELETE', `/groups/{id}/${list}/$ref`, writeGroup, (request) =>
      remove(request, list, idOfTarget(request.directory, referenceOf(request))),
    );
    router.on('DELETE', `/groups/{id}/${list}/{sender}/$ref`, writeGroup, (request) => remove(request, list, request.parameter('sender')));
  }
}

async function findMailGroup(request: DirectoryRequest): Promise<StoredObject> {
  const group = await findGroup(request);
  requireVisible(request, group);
  if (!isUnified(group.body)) throw badRequest('Sender lists are for unified groups only.');
  return group;
}

function referenceOf(request: DirectoryRequest): string {
  const reference = request.query.get('$id') ?? request.query.get('@id');
  if (reference === null) throw badRequest('Not a valid reference update: $id must name the sender to remove.');
  return reference;
}

async function add(request: DirectoryRequest, list: SenderList): Promise<Reply> {
  const { directory } = request;
  const reference = idOfRefBody(directory, request.json(), ['user', 'group']);
  await directory.sql.write(async () => {
    const group = await findMailGroup(request);
    await requireRoleOrOwnership(request, group);
    const sender = await resolveReference(directory, reference);
    if (sender.type !== 'user' && sender.type !== 'group')
      throw badRequest(`Senders are users or groups, not objects of type '${sender.type}'.`, list);
    const other = lists.find((each) => each !== list) as SenderList;
    if (await directory.links.has(group, other, sender))
      throw badRequest(`The sender is in ${other} already and cannot be in both lists.`, list);
    if (!(await directory.links.add(group, list, sender))) throw referenceExists(list);
  });
  return noContent;
}

async function remove(request: DirectoryRequest, list: SenderList, id: string): Promise<Reply> {
  const { directory } = request;
  await directory.sql.write(async () => {
    const group = await findMailGroup(request);
    await requireRoleOrOwnership(request, group);
    const sender = await directory.objects.get(id);
    if (!sender) throw objectNotFound(id);
    if (!(await directory.links.remove(group, list, sender))) throw referenceMissing(list);
  });
  return noContent;
}
