import type { ObjectRow } from '../store/objects.js';
import { toStoredObject } from '../store/objects.js';
import type { Directory } from './directory.js';
import { present } from './present.js';

/** How many texts one generation holds; there are two. */
const generation = 10_000;

/**
 * The JSON texts of objects with their default properties. A text follows from the id and the stored body alone, so that nothing ever
 * has to be thrown away because of a change: another body is another key.
 */
class RenderedObjects {
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  get(key: string, render: () => string): string {
    let text = this.#young.get(key);
    if (text !== undefined) return text;
    text = this.#old.get(key) ?? render();
    if (this.#young.size >= generation) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, text);
    return text;
  }
}

const caches = new WeakMap<Directory, RenderedObjects>();

/** The JSON text of a row with its default properties, with `@odata.type` in front where it stands in a mixed list. */
export function renderRow(directory: Directory, row: ObjectRow, typed: boolean): string {
  let cache = caches.get(directory);
  if (!cache) caches.set(directory, (cache = new RenderedObjects()));
  return cache.get(`${typed ? row.type : ''}${row.id}${row.body}`, () =>
    JSON.stringify(present(directory, toStoredObject(row), { typed })),
  );
}
