import type { SourceLocation } from '../../core/findings/finding.js';
import type { ReadResult } from '../../core/source/read-source.js';
import { nearest } from '../../core/text/nearest.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { GroupProps } from '../../kinds/group/group.js';
import type { PrincipalProps } from '../../kinds/principal/principal.js';
import type { DeclarationOf, ReferenceKind } from '../../kinds/schema/schema-builders.js';
import type { Section, sections, StackConfig } from '../../kinds/stack/schema.js';

/** The types of the declarations in each section. */
export type SectionProps = { readonly [Name in Section]: DeclarationOf<(typeof sections)[Name]> };

/** The origin of a declaration in any of the inputs. */
export interface Origin {
  /** The location in castellan.yaml or in a program. */
  readonly location?: SourceLocation;
  /** The line that uses the library whose construct it is. */
  readonly usedAt?: SourceLocation;
  /** The path of the construct in its tree, such as `storefront/shoppers`. */
  readonly constructPath?: string;
  /** The Terraform address, such as `azuread_group.shoppers`. */
  readonly terraformAddress?: string;
  /**
   * The name of its resources in Terraform, if it differs: a construct in a scope has a longer one.
   */
  readonly terraformName?: string;
  /** The id of the object in the live service. */
  readonly liveId?: string;
}

/** A declaration from any input. */
export interface Declaration<Sections extends Section = Section> {
  /** Its section: `groups`, `containerApps`, … */
  readonly section: Sections;
  /** The name by which other declarations refer to it, unique in its section. */
  readonly name: string;
  /** The declared value, with known references to the environment resolved. */
  readonly value: SectionProps[Sections];
  /** The paths of values that are known only later, relative to the declaration. */
  readonly unknownPaths: readonly ConfigPath[];
  /** Its origin. */
  readonly origin: Origin;
}

/** A reference of one declaration to another. */
export interface Reference {
  /** The referring declaration. */
  readonly from: Declaration;
  /** Relative to the declaration. */
  readonly path: ConfigPath;
  /** The name in the reference. */
  readonly name: string;
  /** The possible targets: sections of declarations, or `secrets` of the same app. */
  readonly kinds: readonly ReferenceKind[];
  /** Whether only declarations may be named, not ids. */
  readonly mustBeDeclared: boolean;
}

/** The type of a member or an owner, as in the membership matrix. */
export type MemberKind =
  'user' | 'servicePrincipal' | 'device' | 'contact' | 'securityGroup' | 'unifiedGroup' | 'unknown';

/** The most names in a stack that are compared with misspelt ones. */
const maxComparisons = 100_000;

/**
 * All declarations of a stack, indexed for the rules.
 *
 * @example
 * const check: Rule<'groups'>['check'] = ({ value }, { index, report }) => {
 *   if (value.owners?.some((owner) => index.memberKind(owner) === 'device'))
 *     report({ messageId: 'device', path: ['owners'] });
 * };
 */
export class StackIndex {
  #declarationsBySection: Map<Section, Map<string, Declaration>> | undefined;
  #declarationLists: Map<Section, readonly Declaration[]> | undefined;
  #comparisons = maxComparisons;
  #ownersOfValues: Map<string, { readonly name: string; readonly address: string }> | undefined;

  /**
   * @param allDeclarations all declarations. A value of a wrong type is left out, and its path is
   *   among `unknownPaths`.
   */
  constructor(
    /** The properties of the stack besides its declarations. */
    readonly settings: Partial<StackConfig>,
    private readonly allDeclarations: Iterable<Declaration>,
    /** The references of a declaration. */
    readonly referencesFrom: (declaration: Declaration) => readonly Reference[],
    /** Locates a path of the configuration. */
    readonly locate: (path: ConfigPath, at?: 'key' | 'value') => SourceLocation | undefined,
    /**
     * Reads a file that the configuration refers to, relative to it.
     *
     * @default plans and constructs have none: they contain its content
     */
    readonly readFile?: (file: string) => ReadResult,
    /**
     * Declarations of other stacks, which can be referred to but are not judged here.
     *
     * @default none
     */
    private readonly declarationsOfOtherStacks: () => Iterable<Declaration> = () => [],
  ) {}

  #otherDeclarations: Map<string, Declaration> | undefined;

  /** Built on first use: a plan creates an index for each of its resources, which few rules use. */
  get #sections(): ReadonlyMap<Section, ReadonlyMap<string, Declaration>> {
    if (this.#declarationsBySection !== undefined) return this.#declarationsBySection;
    this.#declarationsBySection = new Map<Section, Map<string, Declaration>>();
    for (const declaration of this.allDeclarations) {
      const section =
        this.#declarationsBySection.get(declaration.section) ?? new Map<string, Declaration>();
      section.set(declaration.name, declaration);
      this.#declarationsBySection.set(declaration.section, section);
    }
    return this.#declarationsBySection;
  }

  /** The declarations of a section. */
  all<Sections extends Section>(section: Sections): readonly Declaration<Sections>[] {
    const declared = this.#sections.get(section);
    if (declared === undefined) return [];
    this.#declarationLists ??= new Map<Section, readonly Declaration[]>();
    const list = this.#declarationLists.get(section) ?? [...declared.values()];
    this.#declarationLists.set(section, list);
    return list as unknown as Declaration<Sections>[];
  }

  /** All declarations. */
  declarations(): readonly Declaration[] {
    return [...this.#sections.values()].flatMap((section) => [...section.values()]);
  }

  /** Finds a declaration by its name. */
  find<Sections extends Section>(
    section: Sections,
    name: string,
  ): Declaration<Sections> | undefined {
    const found = this.#sections.get(section)?.get(name) ?? this.#findOther(section, name);
    return found as unknown as Declaration<Sections> | undefined;
  }

  #findOther(section: Section, name: string): Declaration | undefined {
    this.#otherDeclarations ??= new Map(
      [...this.declarationsOfOtherStacks()].map((each) => [`${each.section} ${each.name}`, each]),
    );
    return this.#otherDeclarations.get(`${section} ${name}`);
  }

  /** Whether a name is declared. */
  has(section: Section, name: string): boolean {
    return this.find(section, name) !== undefined;
  }

  /** The names declared in a section. */
  names(section: Section): readonly string[] {
    return [...(this.#sections.get(section)?.keys() ?? [])];
  }

  /** How many names a section declares. */
  count(section: Section): number {
    return this.#sections.get(section)?.size ?? 0;
  }

  /**
   * The declared name closest to a misspelt one. In a stack with very many mistakes only the first
   * get an answer: comparing each with every name would take too long.
   */
  nearestName(text: string, sectionNames: readonly Section[]): string | undefined {
    const count = sectionNames.reduce((sum, section) => sum + this.count(section), 0);
    if (this.#comparisons < count) return undefined;
    this.#comparisons -= count;
    return nearest(
      text,
      sectionNames.flatMap((section) => this.names(section)),
    );
  }

  /**
   * Records who has a value that must be unique, in any letter case.
   *
   * @param rule the id of the rule, since each has its own values
   * @param value the value
   * @param name the name of the declaration that has it
   * @param address its Terraform address: in a plan, resources of two types may have one name
   * @returns the name of another declaration that had it before, or its address if both have one
   *   name; undefined if none had
   */
  recordUniqueValue(rule: string, value: string, name: string, address = name): string | undefined {
    const key = `${rule} ${value.toLowerCase()}`;
    this.#ownersOfValues ??= new Map<string, { name: string; address: string }>();
    const first = this.#ownersOfValues.get(key) ?? { name, address };
    this.#ownersOfValues.set(key, first);
    if (first.address === address) return undefined;
    return first.name === name ? first.address : first.name;
  }

  /** The number of declarations. */
  get size(): number {
    let size = 0;
    for (const section of this.#sections.values()) size += section.size;
    return size;
  }

  /** The type of an owner, member or sender: a principal, or a group of this stack. */
  memberKind(name: string): MemberKind {
    const principal = this.find('principals', name)?.value;
    if (principal !== undefined) return memberKindOf(principal);
    const group = this.find('groups', name)?.value;
    if (group === undefined) return 'unknown';
    return isUnified(group) ? 'unifiedGroup' : 'securityGroup';
  }
}

function memberKindOf(principal: PrincipalProps): MemberKind {
  if (principal.user !== undefined) return 'user';
  if (principal.servicePrincipal !== undefined) return 'servicePrincipal';
  if (principal.device !== undefined) return 'device';
  if (principal.contact !== undefined) return 'contact';
  if (principal.group === undefined || principal.groupKind === undefined) return 'unknown';
  return principal.groupKind === 'unified' ? 'unifiedGroup' : 'securityGroup';
}

/** Whether a group is a unified one, in any form of the declaration. */
export function isUnified(group: GroupProps): boolean {
  return group.kind === undefined
    ? group.groupTypes?.includes('Unified') === true
    : group.kind === 'unified';
}

/** Whether a group's members follow from a rule, in any form of the declaration. */
export function isDynamic(group: GroupProps): boolean {
  return (
    group.dynamicMembership !== undefined ||
    group.membershipRule !== undefined ||
    group.groupTypes?.includes('DynamicMembership') === true
  );
}

/** Whether a group controls access: all security groups do, and unified ones if they say so. */
export function isSecurityEnabled(group: GroupProps): boolean {
  return group.securityEnabled ?? !isUnified(group);
}

/** Whether a path begins with another one. */
export function startsWith(path: ConfigPath, prefix: ConfigPath): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => step === path[index]);
}
