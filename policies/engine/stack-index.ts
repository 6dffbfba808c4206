import type { SourceLocation } from '../../core/findings/finding.js';
import type { ReadResult } from '../../core/source/read-source.js';
import { nearest } from '../../core/text/nearest.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { GroupProps } from '../../kinds/group/group.js';
import type { PrincipalProps } from '../../kinds/principal/principal.js';
import type { Declared, ReferenceKind } from '../../kinds/schema/shapes.js';
import type { Section, sections, StackConfig } from '../../kinds/stack/schema.js';

/** What the declarations of each section hold. */
export type SectionProps = { readonly [Name in Section]: Declared<(typeof sections)[Name]> };

/** Where a declaration was seen: any of the inputs. */
export interface Origin {
  /** The place in castellan.yaml or in a program. */
  readonly location?: SourceLocation;
  /** The path of the construct in its tree, such as `storefront/shoppers`. */
  readonly constructPath?: string;
  /** The Terraform address, such as `azuread_group.shoppers`. */
  readonly terraformAddress?: string;
  /** What its resources are called in Terraform, where that is not its name: a construct in a scope has a longer one. */
  readonly terraformName?: string;
  /** The id of the object in the live service. */
  readonly liveId?: string;
}

/** One declared thing, whatever the input it was read from. */
export interface Declaration<Sections extends Section = Section> {
  /** The section that it is in: `groups`, `containerApps`, … */
  readonly section: Sections;
  /** The name that other declarations refer to, unique in its section. */
  readonly name: string;
  /** What is declared, with references to the environment resolved where they can be. */
  readonly value: SectionProps[Sections];
  /** The paths of values that are known only later, below the declaration. */
  readonly unknownPaths: readonly ConfigPath[];
  /** Where it was seen. */
  readonly origin: Origin;
}

/** A name that a declaration uses for another one. */
export interface Reference {
  /** The declaration that refers to another one. */
  readonly from: Declaration;
  /** Below the declaration. */
  readonly path: ConfigPath;
  /** The name that it uses. */
  readonly name: string;
  /** What may be meant: sections of declarations, or `secrets` of the same app. */
  readonly kinds: readonly ReferenceKind[];
  /** Whether only a declaration may be named, and no id. */
  readonly byName: boolean;
}

/** What a member or an owner is, in the words of the membership matrix. */
export type MemberKind = 'user' | 'servicePrincipal' | 'device' | 'contact' | 'securityGroup' | 'unifiedGroup' | 'unknown';

/** How many names are compared with misspelt ones in a stack. */
const mostComparisons = 100_000;

/**
 * Everything that a stack declares, prepared once for all rules.
 *
 * @example
 * const check: Rule<'groups'>['check'] = ({ value }, { index, report }) => {
 *   if (value.owners?.some((owner) => index.memberKind(owner) === 'device')) report({ messageId: 'device', path: ['owners'] });
 * };
 */
export class StackIndex {
  #prepared: Map<Section, Map<string, Declaration>> | undefined;
  #lists: Map<Section, readonly Declaration[]> | undefined;
  #comparisons = mostComparisons;
  #said: Map<string, string> | undefined;

  /**
   * @param declared everything that is declared, except what `illTyped` has.
   */
  constructor(
    /** What the stack says besides its declarations. */
    readonly settings: Partial<StackConfig>,
    private readonly declared: Iterable<Declaration>,
    /** The names that a declaration uses for others. */
    readonly referencesFrom: (declaration: Declaration) => readonly Reference[],
    /** The place of a path of the configuration. */
    readonly locate: (path: ConfigPath, at?: 'key' | 'value') => SourceLocation | undefined,
    /** Reads a file that the configuration names, seen from there. @default plans and constructs have none: they hold what was in it */
    readonly readFile?: (file: string) => ReadResult,
    /** What is declared with values of a wrong type: its name is taken, but rules can't judge it. */
    readonly illTyped: readonly Declaration[] = [],
  ) {}

  /** Prepared when it is first asked for: a plan makes an index for each of its resources, which few rules look into. */
  get #sections(): ReadonlyMap<Section, ReadonlyMap<string, Declaration>> {
    if (this.#prepared !== undefined) return this.#prepared;
    this.#prepared = new Map<Section, Map<string, Declaration>>();
    for (const declaration of this.declared) {
      const section = this.#prepared.get(declaration.section) ?? new Map<string, Declaration>();
      section.set(declaration.name, declaration);
      this.#prepared.set(declaration.section, section);
    }
    return this.#prepared;
  }

  /** The declarations of a section. */
  all<Sections extends Section>(section: Sections): readonly Declaration<Sections>[] {
    const declared = this.#sections.get(section);
    if (declared === undefined) return [];
    this.#lists ??= new Map<Section, readonly Declaration[]>();
    const known = this.#lists.get(section) ?? [...declared.values()];
    this.#lists.set(section, known);
    return known as unknown as Declaration<Sections>[];
  }

  /** Everything declared. */
  declarations(): readonly Declaration[] {
    return [...this.#sections.values()].flatMap((section) => [...section.values()]);
  }

  /** The declaration of that name. */
  find<Sections extends Section>(section: Sections, name: string): Declaration<Sections> | undefined {
    return this.#sections.get(section)?.get(name) as unknown as Declaration<Sections> | undefined;
  }

  /** Whether a name is declared, however badly. */
  has(section: Section, name: string): boolean {
    return this.find(section, name) !== undefined || this.illTyped.some((each) => each.section === section && each.name === name);
  }

  /** The names that a section declares. */
  names(section: Section): readonly string[] {
    const illTyped = this.illTyped.filter((each) => each.section === section);
    return [...(this.#sections.get(section)?.keys() ?? []), ...illTyped.map(({ name }) => name)];
  }

  /** How many names a section declares. */
  count(section: Section): number {
    return (this.#sections.get(section)?.size ?? 0) + this.illTyped.filter((each) => each.section === section).length;
  }

  /**
   * The declared name that was most likely meant. Of a stack with very many mistakes only the first get an answer: comparing each with
   * every name takes longer than anyone waits.
   */
  nearestName(text: string, kinds: readonly Section[]): string | undefined {
    const count = kinds.reduce((sum, kind) => sum + this.count(kind), 0);
    if (this.#comparisons < count) return undefined;
    this.#comparisons -= count;
    return nearest(
      text,
      kinds.flatMap((kind) => this.names(kind)),
    );
  }

  /**
   * Which other declaration said the same before, in any letter case: of a name that only one may have.
   *
   * @param rule whose question it is
   */
  firstReport(rule: string, what: string, name: string): string | undefined {
    const key = `${rule} ${what.toLowerCase()}`;
    this.#said ??= new Map<string, string>();
    const other = this.#said.get(key) ?? name;
    this.#said.set(key, other);
    return other === name ? undefined : other;
  }

  /** How many declarations there are. */
  get size(): number {
    let size = 0;
    for (const section of this.#sections.values()) size += section.size;
    return size;
  }

  /** What a name among owners, members or senders is: a principal, or a group of this stack. */
  memberKind(name: string): MemberKind {
    const principal = this.find('principals', name)?.value;
    if (principal !== undefined) return principalKind(principal);
    const group = this.find('groups', name)?.value;
    if (group === undefined) return 'unknown';
    return isUnified(group) ? 'unifiedGroup' : 'securityGroup';
  }
}

function principalKind(principal: PrincipalProps): MemberKind {
  if (principal.user !== undefined) return 'user';
  if (principal.servicePrincipal !== undefined) return 'servicePrincipal';
  if (principal.device !== undefined) return 'device';
  if (principal.contact !== undefined) return 'contact';
  if (principal.group === undefined || principal.groupKind === undefined) return 'unknown';
  return principal.groupKind === 'unified' ? 'unifiedGroup' : 'securityGroup';
}

/** Whether a group is a unified one, however it says so. */
export function isUnified(group: GroupProps): boolean {
  return group.kind === undefined ? group.groupTypes?.includes('Unified') === true : group.kind === 'unified';
}

/** Whether a group's members follow from a rule, however it says so. */
export function isDynamic(group: GroupProps): boolean {
  return (
    group.dynamicMembership !== undefined || group.membershipRule !== undefined || group.groupTypes?.includes('DynamicMembership') === true
  );
}

/** Whether a group controls access: security groups do, unified ones where they say so. */
export function isSecurityEnabled(group: GroupProps): boolean {
  return group.securityEnabled ?? !isUnified(group);
}

/** Whether something is in a list, a path or below it. */
export function startsWith(path: ConfigPath, prefix: ConfigPath): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => step === path[index]);
}
