import type { Finding } from '../../../core/findings/finding.js';
import type { Declaration, Origin } from '../../engine/stack-index.js';
import type { DeclaredPart } from './declarations.js';

/** Something that several resources declare together: an app and its sign-in layer, a registration with its addresses and secret. */
export interface Joined extends Declaration {
  /** Which resource says what, by the first step below the declaration. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Whether the resource that makes the thing is among them. */
  readonly isWhole: boolean;
}

/** Keeps the parts of things until all resources have gone by: as much memory as there are such things. */
export class Joiner {
  readonly #wholes = new Map<string, DeclaredPart>();
  readonly #parts: DeclaredPart[] = [];

  /** Takes a part; false where a resource declares its thing alone. */
  take(part: DeclaredPart): boolean {
    if (part.part === undefined) return false;
    if (part.part === 'whole') this.#wholes.set(`${part.section}.${part.name}`, part);
    else this.#parts.push(part);
    return true;
  }

  /** The things, each with what all its resources say. Of several secrets one belongs to the thing; the others stand for themselves. */
  joined(): readonly Joined[] {
    const byId = this.#byId();
    const groups = new Map([...this.#wholes].map(([key, whole]) => [key, [whole]]));
    for (const part of this.#parts) {
      const key = byId.get(`${part.section} ${part.of?.toLowerCase() ?? ''}`) ?? `${part.section}.${part.name}`;
      const group = groups.get(key);
      const own = group?.some((each) => each.part === part.part) === true ? `${key} ${part.origin.terraformAddress ?? ''}` : key;
      groups.set(own, [...(groups.get(own) ?? []), part]);
    }
    return [...groups.values()].map(joinedOf);
  }

  /** The things by the ids that their parts name: of an app the end of it is its name. */
  #byId(): ReadonlyMap<string, string> {
    const byId = new Map<string, string>();
    for (const [key, { section, value, origin }] of this.#wholes) {
      const { name } = value as { readonly name?: unknown };
      if (origin.liveId !== undefined) {
        byId.set(`${section} ${origin.liveId.toLowerCase()}`, key);
        byId.set(`${section} /applications/${origin.liveId.toLowerCase()}`, key);
      }
      if (section === 'containerApps' && typeof name === 'string') byId.set(`${section} ${name.toLowerCase()}`, key);
    }
    for (const { section, of } of this.#parts) {
      const key = byId.get(`${section} ${of?.split('/').at(-1)?.toLowerCase() ?? ''}`);
      if (section === 'containerApps' && of !== undefined && key !== undefined) byId.set(`${section} ${of.toLowerCase()}`, key);
    }
    return byId;
  }
}

function joinedOf(parts: readonly DeclaredPart[]): Joined {
  const [first] = parts as [DeclaredPart];
  const value: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  for (const part of parts)
    for (const [key, own] of Object.entries(part.value)) {
      value[key] ??= own;
      if (!origins.has(key) || part.part === 'auth') origins.set(key, part.origin);
    }
  const { section, name, origin } = first;
  const unknownPaths = parts.flatMap((part) => part.unknownPaths);
  return { section, name, value, unknownPaths, origin, origins, isWhole: first.part === 'whole' } as unknown as Joined;
}

/** A finding at the resource that says what it is about. */
export function atOwnResource(finding: Finding, { origin, origins }: Joined): Finding {
  const own = origins.get(String(finding.path?.[2]));
  if (own === undefined || own === origin) return finding;
  const { terraformAddress: _address, liveId: _id, constructPath: _path, location, ...rest } = finding;
  const { location: ownLocation, ...places } = own;
  const place = location === origin.location ? ownLocation : location;
  return { ...rest, ...places, ...(place === undefined ? {} : { location: place }) };
}
