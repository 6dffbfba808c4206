import { constants } from 'node:buffer';
import { open } from 'node:fs/promises';
import { jsonMistake } from '../../core/source/json-mistake.js';
import { isObject } from '../../core/values/is-object.js';

/** An object of a document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The expected content of a file, and the error about another one. */
export interface DocumentOptions {
  /** The expected content: `what terraform show -json PLANFILE prints`. */
  readonly expected: string;
  /** Creates the error for an unusable file. */
  readonly createError: (why: string, cause?: unknown) => Error;
}

/** A JSON file that Terraform wrote. */
export class JsonDocument {
  private constructor(
    /** The document itself. */
    readonly root: JsonObject,
    private readonly options: DocumentOptions,
  ) {}

  /**
   * Reads a file or a pipe.
   *
   * @throws what `createError` creates when it cannot be read, is larger than one string can be
   *   (512 MB), or is not the JSON of an object.
   */
  static async read(file: string, options: DocumentOptions): Promise<JsonDocument> {
    const { expected, createError } = options;
    const bytes = await contentOf(file, createError);
    if (bytes.length === 0) throw createError(`it is empty; expected is ${expected}`);
    const formatProblem = formatProblemOf(bytes);
    if (formatProblem !== undefined) throw createError(formatProblem);
    const text = bytes.toString();
    const document = parse(text.startsWith('\uFEFF') ? text.slice(1) : text, options);
    if (!isObject(document)) throw createError(`it is no object; expected is ${expected}`);
    return new JsonDocument(document, options);
  }

  /** The object at a key; empty if there is none. */
  objectAt(parent: JsonObject, key: string): JsonObject {
    const value = parent[key] ?? {};
    if (!isObject(value)) throw this.#createError(`its ${key} is no object`);
    return value;
  }

  /** The objects by name at a key; none if there is no such key. */
  entriesAt(parent: JsonObject, key: string): readonly (readonly [string, JsonObject])[] {
    const objects = this.objectAt(parent, key);
    return Object.keys(objects).map((name) => [name, this.objectAt(objects, name)]);
  }

  /** The list of objects at a key; empty if there is none. */
  listAt(parent: JsonObject, key: string): readonly JsonObject[] {
    const list = parent[key] ?? [];
    if (!Array.isArray(list)) throw this.#createError(`its ${key} is no list`);
    const wrongIndex = list.findIndex((each) => !isObject(each));
    if (wrongIndex !== -1)
      throw this.#createError(`its ${key}[${String(wrongIndex)}] is no object`);
    return list as readonly JsonObject[];
  }

  #createError(why: string): Error {
    return this.options.createError(`${why}; expected is ${this.options.expected}`);
  }
}

async function contentOf(
  file: string,
  createError: DocumentOptions['createError'],
): Promise<Buffer> {
  const limit = constants.MAX_STRING_LENGTH;
  const tooLarge = (size: number): Error =>
    createError(
      `it has ${String(Math.ceil(size / 2 ** 20))} MB, and at most ${String(Math.floor(limit / 2 ** 20))} MB can be read; plan in parts, such as one for each stack or with terraform plan -target`,
    );
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      if (size > limit) throw tooLarge(size);
      const bytes = await handle.readFile();
      if (bytes.length > limit) throw tooLarge(bytes.length);
      return bytes;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw createError('it does not exist', cause);
    if (code === 'EISDIR') throw createError('it is a folder', cause);
    throw code === undefined || !('syscall' in (cause as object))
      ? cause
      : createError(message, cause);
  }
}

/**
 * Describes a file that is not UTF-8 text, if its first bytes (byte order mark, zip, gzip) show it.
 */
function formatProblemOf([first, second]: Buffer): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0)
    return 'it is UTF-16, as PowerShell writes it; write it as UTF-8: … | Out-File -Encoding utf8';
  if (first === 0x50 && second === 0x4b) return 'it is the plan file itself';
  if (first === 0x1f && second === 0x8b) return 'it is compressed by gzip';
  return undefined;
}

function parse(text: string, { expected, createError }: DocumentOptions): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw createError(`${jsonMistake(text, cause)}; expected is ${expected}`, cause);
  }
}
