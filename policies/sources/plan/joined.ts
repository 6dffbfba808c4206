import type { Finding } from '../../../core/findings/finding.js';
import type { Declaration, Origin } from '../../engine/stack-index.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { DeclaredPart } from './declarations.js';
import type { StoredText } from './text-store.js';
import { storedText, TextStore } from './text-store.js';

/** Something that several resources declare together: an app and its sign-in layer, a registration with its addresses and secret. */
export interface Joined extends Declaration {
  /** Which resource says what, by the first step below the declaration. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Whether the resource that makes the thing is among them. */
  readonly isWhole: boolean;
}

/** A part that waits for the others: as text, which takes a fraction of the memory. */
interface Kept extends Pick<DeclaredPart, 'section' | 'name' | 'part' | 'of' | 'origin'> {
  /** What an app calls itself. */
  readonly ownName: unknown;
  readonly json: StoredText;
}

/** The parts of one thing, the one that makes it first, where it is among them. */
export type Parts = readonly [Kept, ...Kept[]];

/** Keeps the parts of things until all resources have gone by: as much memory as there are such things. */
export class Joiner {
  readonly #things = new Map<string, [Kept, ...Kept[]]>();
  readonly #parts: Kept[] = [];
  readonly #texts = new TextStore();

  /** Takes a part; false where a resource declares its thing alone. */
  take(part: DeclaredPart): boolean {
    if (part.part === undefined) return false;
    const { section, name, of, value, origin } = part;
    const { name: ownName } = value as { readonly name?: unknown };
    const json = this.#texts.put(JSON.stringify([value, part.unknownPaths]));
    const kept = { section, name, part: part.part, of, origin, ownName, json } as Kept;
    if (part.part === 'whole') this.#things.set(`${section}.${name}`, [kept]);
    else this.#parts.push(kept);
    return true;
  }

  /** The things, each with its parts. Of several secrets one belongs to the thing; the others stand for themselves. */
  joined(): Iterable<Parts> {
    const groups = this.#things;
    const byId = this.#parts.length === 0 ? new Map<string, string>() : this.#byId();
    for (const part of this.#parts) {
      const key = byId.get(`${part.section} ${part.of?.toLowerCase() ?? ''}`) ?? `${part.section}.${part.name}`;
      const isTaken = groups.get(key)?.some((each) => each.part === part.part) === true;
      const own = isTaken ? `${key} ${part.origin.terraformAddress ?? ''}` : key;
      const group = groups.get(own);
      if (group === undefined) groups.set(own, [part]);
      else group.push(part);
    }
    return groups.values();
  }

  /** The things by the ids that their parts name: of an app the end of it is its name. */
  #byId(): ReadonlyMap<string, string> {
    const byId = new Map<string, string>();
    for (const [key, [{ section, ownName, origin }]] of this.#things) {
      const { liveId } = origin;
      if (liveId !== undefined) {
        byId.set(`${section} ${liveId.toLowerCase()}`, key);
        byId.set(`${section} /applications/${liveId.toLowerCase()}`, key);
      }
      if (section === 'containerApps' && typeof ownName === 'string') byId.set(`${section} ${ownName.toLowerCase()}`, key);
    }
    for (const { section, of } of this.#parts) {
      const key = byId.get(`${section} ${of?.split('/').at(-1)?.toLowerCase() ?? ''}`);
      if (section === 'containerApps' && of !== undefined && key !== undefined) byId.set(`${section} ${of.toLowerCase()}`, key);
    }
    return byId;
  }
}

/** Whether the resource that makes the thing is among its parts. */
export function isWhole([first]: Parts): boolean {
  return first.part === 'whole';
}

/** What the resources of a thing declare together. */
export function joinedOf(kept: Parts): Joined {
  const [{ section, name, origin }] = kept;
  if (kept.length === 1) {
    const [value, unknownPaths] = saidBy(kept[0]);
    return { section, name, value, unknownPaths, origin, origins: noOrigins, isWhole: isWhole(kept) } as unknown as Joined;
  }
  const value: Record<string, unknown> = {};
  const unknownPaths: ConfigPath[] = [];
  const origins = new Map<string, Origin>();
  for (const part of kept) {
    const [says, unknown] = saidBy(part);
    unknownPaths.push(...unknown);
    for (const [key, own] of Object.entries(says)) {
      value[key] ??= own;
      if (!origins.has(key) || part.part === 'auth') origins.set(key, part.origin);
    }
  }
  return { section, name, value, unknownPaths, origin, origins, isWhole: isWhole(kept) } as unknown as Joined;
}

/** All of a thing that one resource declares alone is said by that. */
const noOrigins: ReadonlyMap<string, Origin> = new Map();

function saidBy({ json }: Kept): [value: Readonly<Record<string, unknown>>, unknownPaths: readonly ConfigPath[]] {
  return JSON.parse(storedText(json)) as [Readonly<Record<string, unknown>>, readonly ConfigPath[]];
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
