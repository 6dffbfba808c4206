import type { Section } from '../../../kinds/stack/schema.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import { declarationOf } from '../../../policies/sources/plan/declarations.js';
import type { Declaration } from '../../../policies/engine/stack-index.js';
import { DeclarationJoiner } from '../../../policies/sources/plan/joined-declarations.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import { DeclaredNames } from './adopt-groups.js';

/** A declaration made by resources, with its name in the configuration. */
export interface FoundDeclaration {
  readonly section: Section;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** The one of the object itself, where several resources make up the declaration. */
  readonly resource: PlannedResource;
}

/** Existing objects as resources of a state: their declarations, and the resources themselves. */
export class FoundResources {
  readonly declarations: readonly FoundDeclaration[];
  readonly #resources: readonly PlannedResource[];
  readonly #names = new Map<string, DeclaredNames>();
  readonly #nameById = new Map<string, string>();

  constructor(resources: readonly PlannedResource[]) {
    this.#resources = resources;
    const byAddress = new Map(resources.map((each) => [each.address, each]));
    const joiner = new DeclarationJoiner();
    const joinedDeclarations: Declaration[] = [];
    for (const each of resources) {
      const declaration = declarationOf(each);
      if (declaration !== undefined && !joiner.addIfPart(declaration))
        joinedDeclarations.push(declaration);
    }
    for (const each of joiner.join().declarations) {
      const { hasPrimaryResource, ...declaration } = each;
      if (hasPrimaryResource) joinedDeclarations.push(declaration as unknown as Declaration);
    }
    this.declarations = joinedDeclarations.flatMap((each): FoundDeclaration[] => {
      const resource = byAddress.get(each.origin.terraformAddress ?? '');
      if (resource === undefined) return [];
      const name = this.#namesOf(each.section).claimName(resource.address, each.name);
      return [
        {
          section: each.section,
          name,
          value: each.value as unknown as Record<string, unknown>,
          resource,
        },
      ];
    });
    for (const { name, resource } of this.declarations)
      for (const id of idsOf(resource)) this.#nameById.set(id, name);
  }

  /** The declarations of a section. */
  ofSection(section: Section): readonly FoundDeclaration[] {
    return this.declarations.filter((each) => each.section === section);
  }

  /** The resources of a type, or looked-up data. */
  ofType(type: string, mode: PlannedResource['mode'] = 'managed'): readonly PlannedResource[] {
    return this.#resources.filter((each) => each.type === type && each.mode === mode);
  }

  /** Names are unique in a section; groups and principals share one namespace. */
  #namesOf(section: Section): DeclaredNames {
    const namespace = section === 'groups' ? 'principals' : section;
    const names = this.#names.get(namespace) ?? new DeclaredNames();
    this.#names.set(namespace, names);
    return names;
  }

  /** The name of the declaration with an id, in any form of reference. */
  nameOf(id: unknown): string | undefined {
    return typeof id === 'string' ? this.#nameById.get(id.toLowerCase()) : undefined;
  }

  /** Gives a principal a unique name. */
  namePrincipal(id: string, ...texts: readonly (string | undefined)[]): string {
    const name = this.#namesOf('principals').claimName(id, ...texts);
    this.#nameById.set(id.toLowerCase(), name);
    return name;
  }
}

/** A text attribute of a resource. */
export function textAt(resource: PlannedResource, attribute: string): string | undefined {
  const value = valueAtPath(resource.after, [attribute]);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** All values by which others refer to a resource. */
function idsOf(resource: PlannedResource): readonly string[] {
  const ids = [
    resource.liveId,
    textAt(resource, 'id'),
    textAt(resource, 'object_id'),
    textAt(resource, 'client_id'),
  ];
  return ids.flatMap((id) => (id === undefined ? [] : [id.toLowerCase()]));
}
