import { sql } from 'kysely';
import { requirePermission } from '../authorization/access.js';
import { findGroup, groupReadAccess } from '../groups/group-access.js';
import { parseRule } from '../groups/group-rules.js';
import { badRequest, objectNotFound, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import type { DirectoryModule } from '../directory-module.js';
import { compileMembershipRule, traceMembershipRule } from '../membership-rule/index.js';
import type { Body, StoredObject } from '../store/objects.js';
import { relations } from '../store/relations.js';
import { CompiledRules, hasDynamicMembers, MembershipProcessor } from './processor.js';

const timeRulesIntervalMs = 3_600_000;
const timeRulesCollection = 'time-rules';
const membershipProperties = [
  'groupTypes',
  'membershipType',
  'membershipRule',
  'membershipRuleProcessingState',
] as const;

/**
 * Dynamic membership: follows changes of users, devices, managers, groups and rules, and evaluates
 * rules for a user or device.
 */
export function createDynamicMembershipModule(): DirectoryModule {
  let processor: MembershipProcessor | undefined;
  return {
    routes(router, directory) {
      const startedProcessor = new MembershipProcessor(directory, new CompiledRules());
      processor = startedProcessor;
      listenToChanges(directory, startedProcessor);
      router.on('POST', '/groups/evaluateDynamicMembership', groupReadAccess, (request) =>
        evaluate(request, startedProcessor),
      );
      router.on('POST', '/groups/{id}/evaluateDynamicMembership', groupReadAccess, (request) =>
        evaluate(request, startedProcessor),
      );
    },
    async tick(directory) {
      await evaluateTimeRules(directory, processor);
      processor?.continuePending();
    },
    stop: async () => processor?.stop(),
  };
}

/**
 * Evaluates the rules that depend on the time, once an hour. The time of the last evaluation is
 * stored, so that any process can do the next one.
 */
async function evaluateTimeRules(
  directory: Directory,
  processor: MembershipProcessor | undefined,
): Promise<void> {
  const { records, clock, sql: database } = directory;
  const now = clock.now().getTime();
  const readLastEvaluation = async (): Promise<number> =>
    Number(
      (await records.get(timeRulesCollection, '', timeRulesCollection))?.body['at'] ?? Number.NaN,
    );
  const lastEvaluation = await readLastEvaluation();
  // A clock that was set back starts a new interval.
  if (now >= lastEvaluation && now - lastEvaluation < timeRulesIntervalMs) return;
  await database.transaction(async () => {
    if (now - (await readLastEvaluation()) >= timeRulesIntervalMs)
      await processor?.processWhere((rule) => rule.dependsOnTime);
    await records.put(timeRulesCollection, '', timeRulesCollection, { at: now });
  });
}

function listenToChanges(directory: Directory, processor: MembershipProcessor): void {
  directory.objects.listen({
    async afterSave(object, before) {
      if (hasDynamicMembers(object) && changesMembership(object.body, before))
        await processor.processContainer(object);
      if (object.type === 'user' || object.type === 'device') await processor.processObject(object);
    },
    afterRemoval: (object) =>
      reevaluateDependentRules(directory, processor, object, 'directory_deleted_link'),
    // References are restored without notice of each.
    afterRestore: (object) =>
      reevaluateDependentRules(directory, processor, object, 'directory_link'),
  });
  directory.links.listen(async ({ source, relation, target }) => {
    if (relation === 'manager')
      await processor.processObject(source, (rule) => rule.neededContext === 'manager');
    if (relation === 'members' && (target.type === 'user' || target.type === 'device'))
      await processor.processObject(target, (rule) => readsMembersOf(rule.parsed, source.id));
  });
}

function changesMembership(body: Body, before: Body | undefined): boolean {
  return (
    before === undefined ||
    membershipProperties.some((name) => JSON.stringify(before[name]) !== JSON.stringify(body[name]))
  );
}

function readsMembersOf(rule: { kind: string; groupIds?: readonly string[] }, id: string): boolean {
  return rule.kind === 'memberOf' && (rule.groupIds?.includes(id) ?? false);
}

/**
 * Evaluates the rules that read the members of a deleted or restored group, or name a deleted or
 * restored manager.
 *
 * @param linkTable the table with the object's references: those of a deleted one are kept in another.
 */
async function reevaluateDependentRules(
  directory: Directory,
  processor: MembershipProcessor,
  { id, type, number }: StoredObject,
  linkTable: 'directory_link' | 'directory_deleted_link',
): Promise<void> {
  if (type === 'group') await processor.processWhere((rule) => readsMembersOf(rule.parsed, id));
  if (type !== 'user') return;
  const query = sql`select source from ${sql.table(linkTable)}
    where target = ${number} and relation = ${relations.manager}`;
  for (const { source } of await directory.sql.query<{ source: number }>(query)) {
    const report = await directory.objects.getByNumber(source);
    if (report) await processor.processObject(report, (rule) => rule.neededContext === 'manager');
  }
}

/**
 * Answers whether a user or device would be a member, with the result of every part of the rule: the
 * parts have values of its properties, so that the caller needs a permission to read such objects.
 */
async function evaluate(request: DirectoryRequest, processor: MembershipProcessor): Promise<Reply> {
  const body = request.json();
  const { memberId } = body;
  if (typeof memberId !== 'string') throw badRequest('memberId is needed.', 'memberId');
  const text =
    request.key('id') === ''
      ? body['membershipRule']
      : (await findGroup(request)).body['membershipRule'];
  if (typeof text !== 'string' || text === '')
    throw badRequest('There is no membership rule to evaluate.', 'membershipRule');
  const rule = parseRule(text);
  const { types } = request.directory;
  requirePermission(request.caller, ...types.get(rule.subject).readPermissions);
  const member = await request.directory.objects.get(memberId);
  if (!member || member.type !== rule.subject) throw objectNotFound(memberId);
  const context = await processor.contextFor(compileMembershipRule(rule), member);
  const { namespace } = request.directory;
  return ok(
    request.withContext(`${namespace}.evaluateDynamicMembershipResult`, {
      ...traceMembershipRule(rule, member, context),
    }),
  );
}
