import { derivedId } from '../../../core/values/derived-id.js';
import { isGuid } from '../../../core/values/guid.js';
import { isObject } from '../../../core/values/is-object.js';
import { permit, requirePermission, requireRole } from '../authorization/access.js';
import { requireGroupManager } from '../groups/group-access.js';
import { badRequest, invalidProperty, objectNotFound } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { addRecordOperations, presentRecord } from '../kernel/record-operations.js';
import { odataLimits, type QueryRules } from '../odata/index.js';
import { sameRules } from '../odata/property-rules.js';
import { requireObject } from '../kernel/single-object.js';
import { roleWriterRoles } from '../roles/directory-roles.js';
import { allRoleDefinitions } from '../roles/role-definitions.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';

/** The subject of a policy: a directory role, or the members or the owners of a group. */
type PolicySubject = Readonly<Record<'scopeType' | 'scopeId' | 'roleDefinitionId', string>>;

const rolePolicyPermissions = [
  'RoleManagementPolicy.ReadWrite.Directory',
  'RoleManagement.ReadWrite.Directory',
];
const groupPolicyPermission = 'RoleManagementPolicy.ReadWrite.AzureADGroup';
const permissions = [...rolePolicyPermissions, groupPolicyPermission];
const writeAccess = permit(permissions);
const readAccess = permit([
  ...permissions,
  ...permissions.map((each) => each.replace('ReadWrite', 'Read')),
  'RoleManagement.Read.All',
]);

const textRule = { type: 'string', operators: ['eq'] } as const;
const queryRules: QueryRules = {
  resource: 'UnifiedRoleManagementPolicy',
  properties: sameRules(textRule, 'id', 'policyId', 'scopeId', 'scopeType', 'roleDefinitionId'),
  expand: ['rules', 'effectiveRules', 'policy', '*'],
};
const policiesPath = '/policies/roleManagementPolicies';
/** The collection of changed rules; their parent is the policy. */
const collection = 'roleManagementPolicyRules';

/**
 * Adds the operations of policies of privileged identity management, for each directory role and
 * each group. Their rules are only stored, without effect.
 */
export function addRoleManagementPolicyRoutes(router: Router): void {
  const commonOptions = {
    queryRules,
    read: readAccess,
    write: writeAccess,
    pageSize: odataLimits.top.maximum,
  };
  addRecordOperations(router, {
    path: policiesPath,
    ...commonOptions,
    find: findPolicy,
    list: async (request) =>
      (await subjectsInFilter(request)).map((subject) => policyOf(request, subject)),
    present: async (policy, request) => ({
      ...presentRecord(policy),
      ...(await expandedRules(request, policy.id)),
    }),
    change: async (request, { id }, { rules: changedRules }) => {
      await requirePolicyManager(request, id);
      if (!Array.isArray(changedRules))
        throw badRequest("A value is required for property 'rules'.", 'rules');
      for (const rule of changedRules as unknown[])
        await changeRule(request.directory, id, isObject(rule) ? rule : {});
    },
  });
  addRecordOperations(router, {
    path: `${policiesPath}/{id}/rules`,
    collection,
    ...commonOptions,
    findParent: async (request) => {
      const id = request.parameter('id');
      const policy = await findPolicy(request, id);
      if (!policy) throw objectNotFound(id);
      return policy;
    },
    beforeWrite: (request, { id }) => requirePolicyManager(request, id),
    list: ({ directory }, { id }) => rulesOfPolicy(directory, id),
    change: ({ directory }, { id }, values, policy) =>
      changeRule(directory, policy.id, { ...values, id }),
  });
  addRecordOperations(router, {
    path: '/policies/roleManagementPolicyAssignments',
    ...commonOptions,
    list: async (request) =>
      (await subjectsInFilter(request)).map((subject) => assignmentOf(request, subject)),
    find: async (request, id) => {
      const subject = (await subjectsOfId(request, id)).find(
        (one) => assignmentOf(request, one).id === id,
      );
      return subject && assignmentOf(request, subject);
    },
    present: async (assignment, request) => {
      const expanded = expandedNames(request);
      if (!['policy', '*'].some((name) => expanded.includes(name)))
        return presentRecord(assignment);
      const policy = await findPolicy(request, String(assignment.body['policyId']));
      return {
        ...presentRecord(assignment),
        policy: policy && {
          ...presentRecord(policy),
          ...(await expandedRules(request, policy.id)),
        },
      };
    },
  });
}

/**
 * Checks that the caller may change a policy: by the permission for its subject and, for users, by
 * a role or the ownership of the group.
 *
 * @throws DirectoryError 403.
 */
async function requirePolicyManager(request: DirectoryRequest, policyId: string): Promise<void> {
  const [subject] = await subjectsOfId(request, policyId);
  requirePermission(
    request.caller,
    ...(subject?.scopeType === 'Group' ? [groupPolicyPermission] : rolePolicyPermissions),
  );
  if (subject?.scopeType !== 'Group') return requireRole(request.caller, roleWriterRoles);
  await requireGroupManager(
    request,
    await requireObject(request.directory, subject.scopeId, 'group'),
  );
}

function assignmentOf(request: DirectoryRequest, subject: PolicySubject): StoredRecord {
  const policyId = policyOf(request, subject).id;
  return { id: `${policyId}_${subject.roleDefinitionId}`, body: { policyId, ...subject } };
}

function policyOf(
  { tenantId }: DirectoryRequest,
  { scopeType, scopeId, roleDefinitionId }: PolicySubject,
): StoredRecord {
  const [name, scope] = scopeType === 'Group' ? ['Group', scopeId] : ['DirectoryRole', tenantId];
  const unknownIdentity = { displayName: null, id: null };
  return {
    id: `${name}_${scope}_${derivedId(`policy of ${scope} ${roleDefinitionId}`)}`,
    body: {
      displayName: name,
      description: name,
      isOrganizationDefault: false,
      scopeId,
      scopeType,
      lastModifiedDateTime: null,
      lastModifiedBy: unknownIdentity,
    },
  };
}

async function findPolicy(
  request: DirectoryRequest,
  id: string,
): Promise<StoredRecord | undefined> {
  return (await subjectsOfId(request, id))
    .map((subject) => policyOf(request, subject))
    .find((policy) => policy.id === id);
}

/** The subjects that can have a policy or an assignment with this id. */
async function subjectsOfId(
  { directory }: DirectoryRequest,
  id: string,
): Promise<readonly PolicySubject[]> {
  const [scopeType, scope = ''] = id.split('_');
  return scopeType === 'Group'
    ? groupSubjects(directory, scope)
    : roleSubjects(directory, 'DirectoryRole');
}

/**
 * The subjects in the scope of a list's filter.
 *
 * @throws DirectoryError 400 for a list without one.
 */
async function subjectsInFilter({
  directory,
  query,
}: DirectoryRequest): Promise<readonly PolicySubject[]> {
  const filter = query.get('$filter') ?? '';
  const scopeId = /\bscopeId eq '([^']*)'/i.exec(filter)?.[1];
  if (scopeId === undefined)
    throw badRequest("The list needs a $filter by 'scopeId' and 'scopeType'.", '$filter');
  if (scopeId === '/')
    return roleSubjects(
      directory,
      /\bscopeType eq 'Directory'/i.test(filter) ? 'Directory' : 'DirectoryRole',
    );
  return groupSubjects(directory, scopeId);
}

async function roleSubjects(
  directory: Directory,
  scopeType: string,
): Promise<readonly PolicySubject[]> {
  return (await allRoleDefinitions(directory)).map(({ id }) => ({
    scopeType,
    scopeId: '/',
    roleDefinitionId: id,
  }));
}

async function groupSubjects(
  { objects }: Directory,
  id: string,
): Promise<readonly PolicySubject[]> {
  const group = isGuid(id) ? await objects.get(id) : undefined;
  if (group?.type !== 'group') return [];
  return ['member', 'owner'].map((roleDefinitionId) => ({
    scopeType: 'Group',
    scopeId: group.id,
    roleDefinitionId,
  }));
}

/** The expanded relationships of a request, including nested ones. */
function expandedNames({ options }: DirectoryRequest): readonly string[] {
  return (options.expand ?? []).flatMap(({ relationship, expand }) => [
    relationship,
    ...(expand === undefined ? [] : [expand]),
  ]);
}

async function expandedRules(request: DirectoryRequest, policyId: string): Promise<Body> {
  const names = ['rules', 'effectiveRules'].filter((name) =>
    expandedNames(request).some((each) => each === name || each === '*'),
  );
  const views =
    names.length === 0 ? [] : (await rulesOfPolicy(request.directory, policyId)).map(presentRecord);
  return Object.fromEntries(names.map((name) => [name, views]));
}

async function rulesOfPolicy(
  { records, namespace }: Directory,
  policyId: string,
): Promise<readonly StoredRecord[]> {
  const changedRules = new Map(
    (await records.list(collection, policyId)).map((record) => [record.id, record]),
  );
  return defaultRules(namespace).map((rule) => changedRules.get(rule.id) ?? rule);
}

/** Stores a changed rule. @throws DirectoryError 400 for a rule that the policy does not have. */
async function changeRule(
  directory: Directory,
  policyId: string,
  { id, ...values }: Body,
): Promise<void> {
  const rule = (await rulesOfPolicy(directory, policyId)).find((one) => one.id === id);
  if (rule === undefined) throw invalidProperty('rules', `there is no rule '${String(id)}'`);
  const type = values['@odata.type'] ?? rule.body['@odata.type'];
  if (type !== rule.body['@odata.type'])
    throw invalidProperty(
      '@odata.type',
      `the rule '${rule.id}' is a ${String(rule.body['@odata.type'])}`,
    );
  await directory.records.put(collection, policyId, rule.id, { ...rule.body, ...values });
}

/**
 * Who acts on an eligibility or an assignment, its longest duration (ISO 8601), and what they must
 * provide.
 */
const ruleTargets = [
  { caller: 'Admin', level: 'Eligibility', maximumDuration: 'P365D', enabledRules: [] },
  {
    caller: 'Admin',
    level: 'Assignment',
    maximumDuration: 'P180D',
    enabledRules: ['Justification'],
  },
  {
    caller: 'EndUser',
    level: 'Assignment',
    maximumDuration: 'PT8H',
    enabledRules: ['MultiFactorAuthentication', 'Justification'],
  },
];

/** The seventeen default rules of a policy, as the cloud's documentation lists them. */
function defaultRules(namespace: string): readonly StoredRecord[] {
  return ruleTargets.flatMap(({ caller, level, maximumDuration, enabledRules }) => {
    const target = {
      caller,
      operations: ['all'],
      level,
      inheritableSettings: [],
      enforcedSettings: [],
    };
    const rule = (kind: string, body: Body, idInfix = ''): StoredRecord => ({
      id: `${kind}_${idInfix}${caller}_${level}`,
      body: {
        '@odata.type': `#${namespace}.unifiedRoleManagementPolicy${kind}Rule`,
        target,
        ...body,
      },
    });
    const mail = {
      notificationType: 'Email',
      notificationLevel: 'All',
      isDefaultRecipientsEnabled: true,
      notificationRecipients: [],
    };
    return [
      rule('Expiration', { isExpirationRequired: caller === 'EndUser', maximumDuration }),
      rule('Enablement', { enabledRules }),
      ...(caller === 'EndUser'
        ? [
            rule('Approval', { setting: noApproval }),
            rule('AuthenticationContext', { isEnabled: false, claimValue: null }),
          ]
        : []),
      ...['Admin', 'Requestor', 'Approver'].map((recipientType) =>
        rule('Notification', { ...mail, recipientType }, `${recipientType}_`),
      ),
    ];
  });
}

const noApproval = {
  isApprovalRequired: false,
  isApprovalRequiredForExtension: false,
  isRequestorJustificationRequired: true,
  approvalMode: 'SingleStage',
  approvalStages: [
    {
      approvalStageTimeOutInDays: 1,
      isApproverJustificationRequired: true,
      escalationTimeInMinutes: 0,
      isEscalationEnabled: false,
      primaryApprovers: [],
      escalationApprovers: [],
    },
  ],
};
