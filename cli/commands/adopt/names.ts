/**
 * Gives every object a name of its own for the configuration: letters, digits, hyphens and underscores, at most 63, beginning with a
 * letter. The same object keeps its name.
 */
export class DeclaredNames {
  readonly #byId = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** The name of an object, made of the first text that gives one. */
  nameOf(id: string, ...texts: readonly (string | null | undefined)[]): string {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const base = texts.map(slug).find((text) => text !== '') ?? `object-${id.slice(0, 8)}`;
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base.slice(0, 58)}-${count}`;
    this.#taken.add(name);
    this.#byId.set(id, name);
    return name;
  }
}

function slug(text: string | null | undefined): string {
  if (/^[A-Za-z][\w-]{0,62}$/.test(text ?? '')) return text ?? '';
  const words = (text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-+$/, '');
  return words.slice(0, 63);
}
