import { segment } from '../common/url.js';
import type { AppRoleAssignments } from './applications.js';
import { objects, type Objects, containedObjects, type ContainedObjects } from './objects.js';
import {
  type CallOptions,
  type DirectoryConnection,
  type ListOptions,
  quote,
} from './connection.js';
import {
  addReference,
  references,
  type References,
  relatedObjects,
  type RelatedObjects,
} from './references.js';
import { list, referenceTo, send } from './request.js';
import type { DirectoryObject } from './types/directory-object.js';
import type {
  AssignedLicense,
  Group,
  GroupDraft,
  GroupLifecyclePolicy,
  GroupSetting,
  MembershipEvaluation,
} from './types/group.js';

/** Groups, with their relationships and actions. */
export interface Groups extends Objects<Group, GroupDraft> {
  readonly members: References;
  readonly owners: References;
  readonly memberOf: RelatedObjects;
  readonly transitiveMembers: RelatedObjects;
  readonly transitiveMemberOf: RelatedObjects;
  readonly acceptedSenders: Senders;
  readonly rejectedSenders: Senders;
  /** The roles of applications that are assigned to a group. */
  readonly appRoleAssignments: AppRoleAssignments;
  readonly settings: GroupSettings;
  /** The policies by which a unified group expires. */
  lifecyclePolicies(id: string, call?: CallOptions): AsyncIterable<GroupLifecyclePolicy>;
  /**
   * Creates or updates the group with this unique name. Returns a group that it created, and
   * undefined after an update.
   */
  upsert(
    uniqueName: string,
    draft: Partial<GroupDraft>,
    call?: CallOptions,
  ): Promise<Group | undefined>;
  /** Adds up to 20 members at once, all or nothing. */
  addMembers(id: string, targetIds: readonly string[], call?: CallOptions): Promise<void>;
  /** Starts the lifetime of a unified group again, at the end of which it expires. */
  renew(id: string, call?: CallOptions): Promise<void>;
  assignLicense(
    id: string,
    change: {
      readonly add?: readonly AssignedLicense[];
      /** The ids of licences, as in `skuId`. */
      readonly remove?: readonly string[];
    },
    call?: CallOptions,
  ): Promise<Group>;
  /**
   * @throws ServiceError 422 (Request_UnprocessableEntity), with details, when a name is refused.
   */
  validateProperties(
    id: string,
    names: { readonly displayName?: string; readonly mailNickname?: string },
    call?: CallOptions,
  ): Promise<void>;
  /** Evaluates a membership rule for one user or device (beta). */
  evaluateDynamicMembership(
    memberId: string,
    membershipRule: string,
    call?: CallOptions,
  ): Promise<MembershipEvaluation>;
}

/** The accepted or rejected senders of a unified group: users and groups. */
export interface Senders {
  list(id: string, options?: ListOptions): AsyncIterable<DirectoryObject>;
  add(id: string, targetId: string, call?: CallOptions): Promise<void>;
  remove(id: string, targetId: string, call?: CallOptions): Promise<void>;
}

/** The settings of one group. */
export interface GroupSettings extends ContainedObjects<
  GroupSetting,
  Pick<GroupSetting, 'templateId' | 'values'>
> {
  update(
    id: string,
    settingId: string,
    values: GroupSetting['values'],
    call?: CallOptions,
  ): Promise<void>;
}

/** The group endpoints. */
export function groups(connection: DirectoryConnection): Groups {
  const groupPath = (id: string): string => `groups/${segment(id)}`;
  return {
    ...objects<Group, GroupDraft>(connection, 'groups'),
    members: references(connection, 'groups', 'members'),
    owners: references(connection, 'groups', 'owners'),
    memberOf: relatedObjects(connection, 'groups', 'memberOf'),
    transitiveMembers: relatedObjects(connection, 'groups', 'transitiveMembers'),
    transitiveMemberOf: relatedObjects(connection, 'groups', 'transitiveMemberOf'),
    acceptedSenders: senders(connection, 'acceptedSenders'),
    rejectedSenders: senders(connection, 'rejectedSenders'),
    appRoleAssignments: containedObjects(connection, 'groups', 'appRoleAssignments'),
    settings: settings(connection),
    lifecyclePolicies: (id, call) =>
      list(connection, `${groupPath(id)}/groupLifecyclePolicies`, call),
    upsert: (uniqueName, draft, call) =>
      send<Group | undefined>(
        connection,
        'PATCH',
        `groups(uniqueName=${encodeURIComponent(quote(uniqueName))})`,
        draft,
        {
          ...call,
          headers: { Prefer: 'create-if-missing' },
        },
      ),
    addMembers: (id, targetIds, call) =>
      send<void>(
        connection,
        'PATCH',
        groupPath(id),
        { 'members@odata.bind': targetIds.map((target) => referenceTo(connection, target, call)) },
        call,
      ),
    renew: async (id, call) =>
      void (await send<unknown>(connection, 'POST', `${groupPath(id)}/renew`, undefined, call)),
    assignLicense: (id, { add = [], remove = [] }, call) =>
      send<Group>(
        connection,
        'POST',
        `${groupPath(id)}/assignLicense`,
        { addLicenses: add, removeLicenses: remove },
        call,
      ),
    validateProperties: (id, names, call) =>
      send<void>(connection, 'POST', `${groupPath(id)}/validateProperties`, names, call),
    evaluateDynamicMembership: (memberId, membershipRule, call) =>
      send(
        connection,
        'POST',
        'groups/evaluateDynamicMembership',
        { memberId, membershipRule },
        { version: 'beta', ...call },
      ),
  };
}

function senders(connection: DirectoryConnection, name: string): Senders {
  const path = (id: string): string => `groups/${segment(id)}/${name}`;
  return {
    list: (id, options) => list(connection, path(id), options),
    add: (id, targetId, call) => addReference(connection, path(id), targetId, call),
    remove: (id, targetId, call) =>
      send<void>(
        connection,
        'DELETE',
        `${path(id)}/$ref?$id=${encodeURIComponent(referenceTo(connection, targetId, call))}`,
        undefined,
        call,
      ),
  };
}

function settings(connection: DirectoryConnection): GroupSettings {
  const { update, ...others } = containedObjects<
    GroupSetting,
    Pick<GroupSetting, 'templateId' | 'values'>
  >(connection, 'groups', 'settings');
  return {
    ...others,
    update: (id, settingId, values, call) => update(id, settingId, { values }, call),
  };
}
