import type { PlannedResource, ResourcePiece } from '../../engine/planned-resource.js';
import type { ReadElements } from '../json/read-elements.js';

type Read = (elements: readonly unknown[], piece: ResourcePiece) => readonly PlannedResource[];

/** The piece that was reread last: most requested resources are adjacent. */
let last:
  { readonly piece: ResourcePiece; readonly resources: readonly PlannedResource[] } | undefined;

/**
 * The resources of a piece, each of which can be read again, so that waiting for others, such as an
 * app for its sign-in layer, needs no memory. Kept as text, the resources of a plan took nine
 * tenths of its size, and a fifth of its time.
 */
export function pieceOf(
  { elements, again }: Pick<ReadElements, 'elements' | 'again'>,
  read: Read,
): readonly PlannedResource[] {
  const piece: ResourcePiece = {
    resources() {
      if (last?.piece !== piece) last = { piece, resources: read(again(), piece) };
      return last.resources;
    },
  };
  return read(elements, piece);
}

/** Resources that were adjacent in the file. */
interface Run {
  readonly piece: ResourcePiece;
  /** The index of the first of them in its piece, and among all that are kept. */
  readonly position: number;
  readonly index: number;
  length: number;
}

/**
 * A list of resources that can be read again. Its memory grows only with the number of gaps between
 * them.
 */
export class KeptResources {
  readonly #runs: Run[] = [];
  #length = 0;

  /** The number of resources. */
  get length(): number {
    return this.#length;
  }

  push(resource: PlannedResource): void {
    const { piece = { resources: () => [resource] }, position = 0 } = resource;
    const last = this.#runs.at(-1);
    if (last?.piece === piece && last.position + last.length === position) last.length++;
    else this.#runs.push({ piece, position, index: this.#length, length: 1 });
    this.#length++;
  }

  /** Reads one of them again. */
  read(index: number): PlannedResource {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#runs[middle]?.index ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    const run = this.#runs[low] as Run;
    return run.piece.resources()[run.position + index - run.index] as PlannedResource;
  }

  /** Reads all of them again, one after the other. */
  *[Symbol.iterator](): Generator<PlannedResource> {
    for (let index = 0; index < this.#length; index++) yield this.read(index);
  }
}
