import type { Finding } from '../../../core/findings/finding.js';
import type { Declaration, Origin } from '../../engine/stack-index.js';
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

/** What a part says, in the form in which it waits for the others. */
type Said = Pick<DeclaredPart, 'section' | 'name' | 'part' | 'of' | 'origin' | 'unknownPaths'> & {
  readonly value: Readonly<Record<string, unknown>>;
};

/** Everything that several resources declare together. */
export interface JoinedThings {
  readonly things: Iterable<Joined>;
  /** Whether there is a sign-in layer of which nobody knows the app. */
  readonly hasAppApart: boolean;
}

/** Keeps the parts of things until all resources have gone by, as text: a fraction of the memory that they take as objects. */
export class Joiner {
  readonly #wholes: StoredText[] = [];
  readonly #parts: StoredText[] = [];
  readonly #texts = new TextStore();

  /** Takes a part; false where a resource declares its thing alone. */
  take(declared: DeclaredPart): boolean {
    const { section, name, part, of, origin, value, unknownPaths } = declared;
    if (part === undefined) return false;
    const kept = this.#texts.put(JSON.stringify({ section, name, part, of, origin, value, unknownPaths }));
    (part === 'whole' ? this.#wholes : this.#parts).push(kept);
    return true;
  }

  /** The things, each with what all its resources say. Of several secrets one belongs to the thing; the others stand for themselves. */
  joined(): JoinedThings {
    const parts = this.#parts.map(saidBy);
    const wholes = parts.length === 0 ? new Map<string, number>() : this.#wholesOf(parts);
    const own = new Map<number, Said[]>();
    const apart = new Map<string, Said[]>();
    for (const part of parts) {
      const whole = namesOf(part).reduce<number | undefined>((found, each) => found ?? wholes.get(each), undefined);
      const group = whole === undefined ? apart.get(keyOf(part)) : own.get(whole);
      if (group?.some((each) => each.part === part.part) === true)
        apart.set(`${keyOf(part)} ${part.origin.terraformAddress ?? ''}`, [part]);
      else if (group !== undefined) group.push(part);
      else if (whole === undefined) apart.set(keyOf(part), [part]);
      else own.set(whole, [part]);
    }
    const groups = [...apart.values()];
    return { things: this.#things(own, groups), hasAppApart: groups.some(([first]) => first?.section === 'containerApps') };
  }

  *#things(own: ReadonlyMap<number, readonly Said[]>, apart: Iterable<readonly Said[]>): Generator<Joined> {
    for (const [index, whole] of this.#wholes.entries()) yield joinedOf([saidBy(whole), ...(own.get(index) ?? [])]);
    for (const parts of apart) yield joinedOf(parts);
  }

  /** The positions of the resources that make things, by the names that parts have for them. */
  #wholesOf(parts: readonly Said[]): ReadonlyMap<string, number> {
    const wanted = new Set(parts.flatMap(namesOf));
    const found = new Map<string, number>();
    for (const [index, kept] of this.#wholes.entries())
      for (const each of namesOf(saidBy(kept))) if (wanted.has(each)) found.set(each, index);
    return found;
  }
}

function keyOf({ section, name }: Said): string {
  return `${section}.${name}`;
}

/** What a thing is called: by its own resource, and by its parts, the surest first. Of an app, the end of its id is its name. */
function namesOf(said: Said): readonly string[] {
  const { section, of, value, origin, part } = said;
  const names: (string | undefined)[] = [];
  if (part !== 'whole') names.push(section === 'containerApps' ? of?.split('/').at(-1) : undefined, of);
  else {
    if (section === 'containerApps' && typeof value['name'] === 'string') names.push(value['name']);
    if (origin.liveId !== undefined) names.push(origin.liveId, `/applications/${origin.liveId}`);
  }
  return [...names.flatMap((each) => (each === undefined ? [] : [`${section} ${each.toLowerCase()}`])), keyOf(said)];
}

/** What the resources of a thing declare together. */
function joinedOf(parts: readonly Said[]): Joined {
  const [{ section, name, origin, part, ...alone }] = parts as [Said];
  const isWhole = part === 'whole';
  if (parts.length === 1) return { section, name, ...alone, origin, origins: noOrigins, isWhole } as unknown as Joined;
  const value: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  for (const each of parts)
    for (const [key, own] of Object.entries(each.value)) {
      value[key] ??= own;
      if (!origins.has(key) || each.part === 'auth') origins.set(key, each.origin);
    }
  const unknownPaths = parts.flatMap((each) => each.unknownPaths);
  return { section, name, value, unknownPaths, origin, origins, isWhole } as unknown as Joined;
}

/** All of a thing that one resource declares alone is said by that. */
const noOrigins: ReadonlyMap<string, Origin> = new Map();

function saidBy(kept: StoredText): Said {
  return JSON.parse(storedText(kept)) as Said;
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
