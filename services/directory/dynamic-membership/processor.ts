import { sql } from 'kysely';
import { dynamicLookupKey } from '../groups/group-type.js';
import { isDynamic, isUnified } from '../groups/group-kinds.js';
import type { Directory } from '../kernel/directory.js';
import {
  type CompiledRule,
  compileMembershipRule,
  type RuleContext,
} from '../membership-rule/index.js';
import {
  objectColumns,
  type ObjectRow,
  type StoredObject,
  toStoredObject,
} from '../store/objects.js';
import { relations } from '../store/relations.js';
import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';

/** A group whose rule is being processed. */
interface ProcessedGroup {
  readonly group: StoredObject;
  readonly rule: CompiledRule;
}

/** A group as it was read last, with its rule if it is processed. */
interface CachedGroup {
  readonly row: ObjectRow;
  readonly processedGroup: ProcessedGroup | undefined;
}

/** The most objects that one transaction evaluates when a whole group is processed. */
const objectsPerTransaction = 10_000;
const objectsPerPage = 1_000;
/**
 * The collection of groups with unfinished processing: `after` is the number of the last evaluated
 * object, `leaving` is true until the members that no longer match are removed.
 */
const pendingCollection = 'dynamic-membership';

/**
 * Keeps the membership of dynamic groups up to date. Runs in the transactions that change users,
 * devices and rules.
 */
export class MembershipProcessor {
  #backgroundWork: Promise<void> | undefined;
  #isStopped = false;
  #cachedGroups: ReadonlyMap<number, CachedGroup> = new Map();

  constructor(
    private readonly directory: Directory,
    private readonly rules: CompiledRules,
  ) {}

  /** Evaluates one user or device for all processed groups whose rule applies. */
  async processObject(
    object: StoredObject,
    applies: (rule: CompiledRule) => boolean = () => true,
  ): Promise<void> {
    const groups = (await this.#processedGroups()).filter(
      ({ rule }) => rule.subject === object.type && applies(rule),
    );
    if (groups.length === 0) return;
    const rows = await this.directory.sql.query<{ source: number }>(
      sql`select source from directory_link where target = ${object.number} and relation = ${relations.members}`,
    );
    const memberOf = new Set(rows.map((row) => row.source));
    for (const { group, rule } of groups) {
      const belongs = await this.#matches(group, rule, object);
      if (belongs === memberOf.has(group.number)) continue;
      if (belongs) await this.directory.links.add(group, 'members', object);
      else await this.directory.links.remove(group, 'members', object);
    }
  }

  /**
   * Processes a whole group: removes members that the rule does not match, and adds those that it
   * does. Large directories take several steps.
   */
  async processGroup(group: StoredObject): Promise<void> {
    await this.directory.records.put(pendingCollection, '', group.id, { after: 0, leaving: true });
    await this.#processPart(group.id);
  }

  /** Continues unfinished processing, also of an earlier process, in the background. */
  continuePending(): void {
    this.#backgroundWork ??= this.#processPending()
      .catch(() => undefined) // pending work is stored: the next call retries it
      .finally(() => (this.#backgroundWork = undefined));
  }

  /** Ends the background work after the current transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#backgroundWork;
  }

  /** Processes all groups whose rule applies again. */
  async processGroupsWhere(applies: (rule: CompiledRule) => boolean): Promise<void> {
    for (const { group, rule } of await this.#processedGroups())
      if (applies(rule)) await this.processGroup(group);
  }

  /** What a rule needs to evaluate an object besides the object itself. */
  async contextFor(rule: CompiledRule, object: StoredObject): Promise<RuleContext> {
    const now = this.directory.clock.now().getTime();
    if (rule.neededContext === 'manager')
      return {
        now,
        managerId: (await this.directory.links.targets(object, 'manager', 0, 1))[0]?.id,
      };
    if (rule.neededContext !== 'groups') return { now };
    const rows = await this.directory.sql.query<{
      id: string;
    }>(sql`select o.id from directory_link l
      join directory_object o on o.number = l.source where l.target = ${object.number} and l.relation = ${relations.members}`);
    return { now, groupIds: new Set(rows.map((row) => row.id)) };
  }

  async #processPending(): Promise<void> {
    while (!this.#isStopped) {
      const [pending] = await this.directory.records.list(pendingCollection, '');
      if (!pending) return;
      await this.directory.sql.transaction(() => this.#processPart(pending.id));
      await new Promise((resolve) => setImmediate(resolve)); // lets requests through between two steps
    }
  }

  /** Processes the part of a group that one transaction covers. Call in a transaction. */
  async #processPart(id: string): Promise<void> {
    const { records, objects } = this.directory;
    const pending = await records.get(pendingCollection, '', id);
    const group = await objects.getOfType('group', id);
    const rule = group && this.#ruleOf(group);
    if (!pending || !group || !rule) return void (await records.remove(pendingCollection, '', id));
    if (pending.body['leaving'] === true) await this.#removeNonMatching(group, rule);
    let after = Number(pending.body['after']);
    for (let count = 0; count < objectsPerTransaction; count += objectsPerPage) {
      const page = await objects.page(rule.subject, after, objectsPerPage);
      for (const object of page)
        if (await this.#matches(group, rule, object))
          await this.directory.links.add(group, 'members', object);
      if (page.length < objectsPerPage)
        return void (await records.remove(pendingCollection, '', id));
      after = page.at(-1)?.number ?? after;
    }
    await records.put(pendingCollection, '', id, { after });
  }

  async #removeNonMatching(group: StoredObject, rule: CompiledRule): Promise<void> {
    for await (const member of this.directory.links.allTargets(group, 'members'))
      if (member.type !== rule.subject || !(await this.#matches(group, rule, member)))
        await this.directory.links.remove(group, 'members', member);
  }

  async #matches(group: StoredObject, rule: CompiledRule, object: StoredObject): Promise<boolean> {
    if (isUnified(group.body) && object.type !== 'user') return false;
    const context =
      rule.neededContext === undefined
        ? { now: this.directory.clock.now().getTime() }
        : await this.contextFor(rule, object);
    return rule.matches(object, context);
  }

  /** All processed groups, read each time; a rule is parsed only when its text has changed. */
  async #processedGroups(): Promise<ProcessedGroup[]> {
    const query = sql`select ${objectColumns} from directory_object o where o.type = 'group' and o.alternate_key = ${dynamicLookupKey}`;
    const rows = await this.directory.sql.query<ObjectRow>(query);
    const before = this.#cachedGroups;
    this.#cachedGroups = new Map(
      rows.map((row) => [row.number, this.#cachedGroup(row, before.get(row.number))]),
    );
    return [...this.#cachedGroups.values()]
      .map(({ processedGroup }) => processedGroup)
      .filter((processed) => processed !== undefined);
  }

  #cachedGroup(row: ObjectRow, before: CachedGroup | undefined): CachedGroup {
    if (
      before?.row.body === row.body &&
      before.row.version === row.version &&
      before.row.id === row.id
    )
      return before;
    const group = toStoredObject(row);
    const rule = this.#ruleOf(group);
    return { row, processedGroup: rule && { group, rule } };
  }

  #ruleOf(group: StoredObject): CompiledRule | undefined {
    const { body } = group;
    const isProcessed = isDynamic(body) && body['membershipRuleProcessingState'] === 'On';
    return isProcessed ? this.rules.get(String(body['membershipRule'])) : undefined;
  }
}

const maxCachedRules = 20_000;

/** Compiled rules by text, so that equal rules are parsed once. */
export class CompiledRules {
  readonly #byText = new Map<string, CompiledRule | undefined>();

  /**
   * The compiled rule; undefined for an invalid one, which only a seed can contain. Groups with it
   * have no members.
   */
  get(text: string): CompiledRule | undefined {
    if (!this.#byText.has(text)) {
      if (this.#byText.size >= maxCachedRules) this.#byText.clear();
      const { rule } = parseMembershipRule(text);
      this.#byText.set(text, rule && compileMembershipRule(rule));
    }
    return this.#byText.get(text);
  }
}
