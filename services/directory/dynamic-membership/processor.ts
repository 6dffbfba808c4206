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
  type Body,
  objectColumns,
  type ObjectRow,
  type StoredObject,
  toStoredObject,
} from '../store/objects.js';
import { relationNumbers } from '../store/links.js';
import { type Relation, relations } from '../store/relations.js';
import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';

/** A group or administrative unit whose rule is being processed. */
interface ProcessedContainer {
  readonly container: StoredObject;
  readonly rule: CompiledRule;
}

/** A group or unit as it was read last, with its rule if it is processed. */
interface CachedContainer {
  readonly row: ObjectRow;
  readonly processed: ProcessedContainer | undefined;
}

/** The types of objects whose members a rule may select, with the relation to the members. */
const memberRelations: Readonly<Record<string, Relation>> = {
  group: 'members',
  administrativeUnit: 'unitMembers',
};

/** Whether a rule selects the members of an administrative unit. */
export function isDynamicUnit({ membershipType }: Body): boolean {
  return membershipType === 'Dynamic';
}

/** Whether an object is a group or an administrative unit whose members a rule selects. */
export function hasDynamicMembers({ type, body }: StoredObject): boolean {
  return type === 'group' ? isDynamic(body) : type === 'administrativeUnit' && isDynamicUnit(body);
}

function memberRelationOf({ type }: StoredObject): Relation {
  return memberRelations[type] ?? 'members';
}

/** The most objects that one transaction evaluates when a whole group is processed. */
const objectsPerTransaction = 10_000;
const objectsPerPage = 1_000;
/**
 * The collection of groups and units with unfinished processing: `after` is the number of the last
 * evaluated object, `leaving` is true until the members that no longer match are removed.
 */
const pendingCollection = 'dynamic-membership';

/**
 * Keeps the membership of dynamic groups and administrative units up to date. Runs in the
 * transactions that change users, devices and rules.
 */
export class MembershipProcessor {
  #backgroundWork: Promise<void> | undefined;
  #isStopped = false;
  #cachedContainers: ReadonlyMap<number, CachedContainer> = new Map();

  constructor(
    private readonly directory: Directory,
    private readonly rules: CompiledRules,
  ) {}

  /** Evaluates one user or device for all processed groups and units whose rule applies. */
  async processObject(
    object: StoredObject,
    applies: (rule: CompiledRule) => boolean = () => true,
  ): Promise<void> {
    const containers = (await this.#processedContainers()).filter(
      ({ rule }) => rule.subject === object.type && applies(rule),
    );
    if (containers.length === 0) return;
    const rows = await this.directory.sql.query<{ source: number }>(
      sql`select source from directory_link where target = ${object.number} and relation in (${relationNumbers(Object.values(memberRelations))})`,
    );
    const memberOf = new Set(rows.map((row) => row.source));
    for (const { container, rule } of containers) {
      const belongs = await this.#matches(container, rule, object);
      if (belongs === memberOf.has(container.number)) continue;
      const { links } = this.directory;
      if (belongs) await links.add(container, memberRelationOf(container), object);
      else await links.remove(container, memberRelationOf(container), object);
    }
  }

  /**
   * Processes a whole group or unit: removes members that the rule does not match, and adds those
   * that it does. Large directories take several steps.
   */
  async processContainer(container: StoredObject): Promise<void> {
    await this.directory.records.put(pendingCollection, '', container.id, {
      after: 0,
      leaving: true,
    });
    await this.#processPart(container.id);
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

  /** Processes all groups and units whose rule applies again. */
  async processWhere(applies: (rule: CompiledRule) => boolean): Promise<void> {
    for (const { container, rule } of await this.#processedContainers())
      if (applies(rule)) await this.processContainer(container);
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

  /** Processes the part of a group or unit that one transaction covers. Call in a transaction. */
  async #processPart(id: string): Promise<void> {
    const { records, objects, links } = this.directory;
    const pending = await records.get(pendingCollection, '', id);
    const container = await objects.get(id);
    const rule = container && this.#ruleOf(container);
    if (!pending || !container || !rule)
      return void (await records.remove(pendingCollection, '', id));
    if (pending.body['leaving'] === true) await this.#removeNonMatching(container, rule);
    let after = Number(pending.body['after']);
    for (let count = 0; count < objectsPerTransaction; count += objectsPerPage) {
      const page = await objects.page(rule.subject, after, objectsPerPage);
      for (const object of page)
        if (await this.#matches(container, rule, object))
          await links.add(container, memberRelationOf(container), object);
      if (page.length < objectsPerPage)
        return void (await records.remove(pendingCollection, '', id));
      after = page.at(-1)?.number ?? after;
    }
    await records.put(pendingCollection, '', id, { after });
  }

  async #removeNonMatching(container: StoredObject, rule: CompiledRule): Promise<void> {
    const relation = memberRelationOf(container);
    for await (const member of this.directory.links.allTargets(container, relation))
      if (member.type !== rule.subject || !(await this.#matches(container, rule, member)))
        await this.directory.links.remove(container, relation, member);
  }

  async #matches(
    container: StoredObject,
    rule: CompiledRule,
    object: StoredObject,
  ): Promise<boolean> {
    if (isUnified(container.body) && object.type !== 'user') return false;
    const context =
      rule.neededContext === undefined
        ? { now: this.directory.clock.now().getTime() }
        : await this.contextFor(rule, object);
    return rule.matches(object, context);
  }

  /** All processed groups and units, read each time; a rule is parsed only when its text changed. */
  async #processedContainers(): Promise<ProcessedContainer[]> {
    const types = sql.join(Object.keys(memberRelations).map((type) => sql.lit(type)));
    const query = sql`select ${objectColumns} from directory_object o where o.type in (${types}) and o.alternate_key = ${dynamicLookupKey}`;
    const rows = await this.directory.sql.query<ObjectRow>(query);
    const before = this.#cachedContainers;
    this.#cachedContainers = new Map(
      rows.map((row) => [row.number, this.#cachedContainer(row, before.get(row.number))]),
    );
    return [...this.#cachedContainers.values()]
      .map(({ processed }) => processed)
      .filter((processed) => processed !== undefined);
  }

  #cachedContainer(row: ObjectRow, before: CachedContainer | undefined): CachedContainer {
    if (
      before?.row.body === row.body &&
      before.row.version === row.version &&
      before.row.id === row.id
    )
      return before;
    const container = toStoredObject(row);
    const rule = this.#ruleOf(container);
    return { row, processed: rule && { container, rule } };
  }

  #ruleOf(container: StoredObject): CompiledRule | undefined {
    const { body } = container;
    const isProcessed =
      hasDynamicMembers(container) && body['membershipRuleProcessingState'] === 'On';
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
