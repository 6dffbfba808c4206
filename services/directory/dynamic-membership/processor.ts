import { sql } from 'kysely';
import { dynamicKey } from '../groups/group-type.js';
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

/** The last known state of a group. */
interface KnownGroup {
  readonly row: ObjectRow;
  readonly processed: ProcessedGroup | undefined;
}

/** How many objects one transaction evaluates when a whole group is processed. */
const objectsPerTransaction = 10_000;
const objectsPerPage = 1_000;
const pending = 'dynamic-membership';

/**
 * Keeps the membership of dynamic groups up to date. Runs in the transactions that change users,
 * devices and rules.
 */
export class MembershipProcessor {
  #working: Promise<void> | undefined;
  #stopped = false;
  #known: ReadonlyMap<number, KnownGroup> = new Map();

  constructor(
    private readonly directory: Directory,
    private readonly rules: CompiledRules,
  ) {}

  /** Evaluates all processed groups, or those that `only` selects, for one user or device. */
  async object(
    object: StoredObject,
    only: (rule: CompiledRule) => boolean = () => true,
  ): Promise<void> {
    const groups = (await this.#groups()).filter(
      ({ rule }) => rule.subject === object.type && only(rule),
    );
    if (groups.length === 0) return;
    const rows = await this.directory.sql.query<{ source: number }>(
      sql`select source from directory_link where target = ${object.number} and relation = ${relations.members}`,
    );
    const present = new Set(rows.map((row) => row.source));
    for (const { group, rule } of groups) {
      const belongs = await this.#matches(group, rule, object);
      if (belongs === present.has(group.number)) continue;
      if (belongs) await this.directory.links.add(group, 'members', object);
      else await this.directory.links.remove(group, 'members', object);
    }
  }

  /**
   * Processes a whole group: removes members that the rule does not match, and adds those that it
   * does. Large directories take several steps.
   */
  async group(group: StoredObject): Promise<void> {
    await this.directory.items.put(pending, '', group.id, { after: 0, leaving: true });
    await this.#step(group.id);
  }

  /** Continues an earlier step, or that of an earlier process, in the background. */
  continuePending(): void {
    this.#working ??= this.#finish()
      .catch(() => undefined) // pending work is stored: the next call retries it
      .finally(() => (this.#working = undefined));
  }

  /** Waits for the current step and starts no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  /** Processes the groups that `only` selects again. */
  async groupsWhere(only: (rule: CompiledRule) => boolean): Promise<void> {
    for (const { group, rule } of await this.#groups()) if (only(rule)) await this.group(group);
  }

  /** The context of an evaluation besides the object. */
  async context(rule: CompiledRule, object: StoredObject): Promise<RuleContext> {
    const now = this.directory.clock.now().getTime();
    if (rule.needs === 'manager')
      return {
        now,
        managerId: (await this.directory.links.targets(object, 'manager', 0, 1))[0]?.id,
      };
    if (rule.needs !== 'groups') return { now };
    const rows = await this.directory.sql.query<{
      id: string;
    }>(sql`select o.id from directory_link l
      join directory_object o on o.number = l.source where l.target = ${object.number} and l.relation = ${relations.members}`);
    return { now, groupIds: new Set(rows.map((row) => row.id)) };
  }

  async #finish(): Promise<void> {
    while (!this.#stopped) {
      const [item] = await this.directory.items.list(pending, '');
      if (!item) return;
      await this.directory.sql.write(() => this.#step(item.id));
      await new Promise((done) => setImmediate(done)); // lets requests through between two steps
    }
  }

  /** Processes the part of a group that one transaction covers. Call in a write. */
  async #step(id: string): Promise<void> {
    const { items, objects } = this.directory;
    const item = await items.get(pending, '', id);
    const group = await objects.getOfType('group', id);
    const rule = group && this.#ruleOf(group);
    if (!item || !group || !rule) return void (await items.remove(pending, '', id));
    if (item.body['leaving'] === true) await this.#removeStrangers(group, rule);
    let after = Number(item.body['after']);
    for (let count = 0; count < objectsPerTransaction; count += objectsPerPage) {
      const page = await objects.page(rule.subject, after, objectsPerPage);
      for (const object of page)
        if (await this.#matches(group, rule, object))
          await this.directory.links.add(group, 'members', object);
      if (page.length < objectsPerPage) return void (await items.remove(pending, '', id));
      after = page.at(-1)?.number ?? after;
    }
    await items.put(pending, '', id, { after });
  }

  async #removeStrangers(group: StoredObject, rule: CompiledRule): Promise<void> {
    for await (const member of this.directory.links.allTargets(group, 'members'))
      if (member.type !== rule.subject || !(await this.#matches(group, rule, member)))
        await this.directory.links.remove(group, 'members', member);
  }

  async #matches(group: StoredObject, rule: CompiledRule, object: StoredObject): Promise<boolean> {
    if (isUnified(group.body) && object.type !== 'user') return false;
    const context =
      rule.needs === undefined
        ? { now: this.directory.clock.now().getTime() }
        : await this.context(rule, object);
    return rule.matches(object, context);
  }

  /** All processed groups, read each time; a rule is parsed only when its text has changed. */
  async #groups(): Promise<ProcessedGroup[]> {
    const query = sql`select ${objectColumns} from directory_object o where o.type = 'group' and o.alternate_key = ${dynamicKey}`;
    const rows = await this.directory.sql.query<ObjectRow>(query);
    const before = this.#known;
    this.#known = new Map(
      rows.map((row) => [row.number, this.#knownGroup(row, before.get(row.number))]),
    );
    return [...this.#known.values()].flatMap(({ processed }) => processed ?? []);
  }

  #knownGroup(row: ObjectRow, before: KnownGroup | undefined): KnownGroup {
    if (
      before?.row.body === row.body &&
      before.row.version === row.version &&
      before.row.id === row.id
    )
      return before;
    const group = toStoredObject(row);
    const rule = this.#ruleOf(group);
    return { row, processed: rule && { group, rule } };
  }

  #ruleOf(group: StoredObject): CompiledRule | undefined {
    const { body } = group;
    const processed = isDynamic(body) && body['membershipRuleProcessingState'] === 'On';
    return processed ? this.rules.get(String(body['membershipRule'])) : undefined;
  }
}

const cacheSize = 20_000;

/** Compiled rules by text, so that equal rules are parsed once. */
export class CompiledRules {
  readonly #byText = new Map<string, CompiledRule | undefined>();

  /** undefined for an invalid rule, which only a seed can contain: such a group has no members */
  get(text: string): CompiledRule | undefined {
    if (!this.#byText.has(text)) {
      if (this.#byText.size >= cacheSize) this.#byText.clear();
      const { rule } = parseMembershipRule(text);
      this.#byText.set(text, rule && compileMembershipRule(rule));
    }
    return this.#byText.get(text);
  }
}
