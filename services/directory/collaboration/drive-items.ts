import { createHash, randomUUID } from 'node:crypto';
import { DirectoryError, badRequest, itemNotFound } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Body, StoredObject } from '../store/objects.js';

const entryCollection = 'drive-item';
/** The collection with the folder of each entry, by the entry's id. */
const parentCollection = 'drive-item-parent';
const contentCollection = 'drive-content';

/** The most characters in the name of an entry. */
const maxNameLength = 400;

/** The content of a file. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/**
 * The folders and files of a group's drive. Each folder has an id; that of the top folder is
 * `root`.
 */
export class DriveItems {
  constructor(
    private readonly request: DirectoryRequest,
    private readonly group: StoredObject,
    private readonly driveId: string,
  ) {}

  async get(id: string): Promise<Body> {
    const { records } = this.request.directory;
    if (id === 'root') return this.#root();
    const parent = await records.get(parentCollection, this.group.id, id);
    const item =
      parent &&
      (await records.get(entryCollection, this.#parentKey(String(parent.body['parent'])), id));
    if (!item) throw itemNotFound('The resource could not be found.');
    return this.#view(id, item.body);
  }

  async children(folderId: string): Promise<Body[]> {
    await this.#requireFolder(folderId);
    const items = await this.request.directory.records.list(
      entryCollection,
      this.#parentKey(folderId),
    );
    return Promise.all(items.map((item) => this.#view(item.id, item.body)));
  }

  /** Finds an entry by a path relative to a folder. @throws DirectoryError 404. */
  async find(folderId: string, path: string): Promise<Body> {
    let entry = await this.get(folderId);
    for (const name of pathSegments(path)) {
      const next = entry['folder'] ? await this.#findChild(String(entry['id']), name) : undefined;
      if (!next) throw itemNotFound('The resource could not be found.');
      entry = next;
    }
    return entry;
  }

  /** @throws DirectoryError 409 when the folder has an entry of this name. */
  async createFolder(folderId: string, name: string): Promise<Body> {
    await this.#requireFolder(folderId);
    await this.#requireNameFree(folderId, name);
    return this.#create(folderId, name, { folder: {} });
  }

  /**
   * Writes a file at a path and creates missing folders. `isNew` is false for an existing file.
   */
  async writeAt(
    folderId: string,
    path: string,
    content: FileContent,
  ): Promise<{ readonly item: Body; readonly isNew: boolean }> {
    const names = pathSegments(path);
    const last = names.pop();
    if (last === undefined) throw badRequest('A file needs a name.', 'name');
    let parentId = folderId;
    await this.#requireFolder(parentId);
    for (const name of names) {
      const next =
        (await this.#findChild(parentId, name)) ??
        (await this.#create(parentId, name, { folder: {} }));
      if (!next['folder']) throw badRequest(`'${name}' is a file, not a folder.`, 'path');
      parentId = String(next['id']);
    }
    const existing = await this.#findChild(parentId, last);
    const item = existing ?? (await this.#create(parentId, last, { file: {} }));
    return { item: await this.write(String(item['id']), content), isNew: existing === undefined };
  }

  /** Replaces the content of a file. */
  async write(id: string, { bytes, contentType }: FileContent): Promise<Body> {
    const existing = await this.get(id);
    if (!existing['file']) throw badRequest('A folder has no content.', 'folder');
    const sha256Hash = createHash('sha256').update(bytes).digest('hex').toUpperCase();
    await this.request.directory.records.put(contentCollection, this.group.id, id, {
      bytes: bytes.toString('base64'),
      contentType,
    });
    return this.change(id, {
      size: bytes.length,
      file: { mimeType: contentType, hashes: { sha256Hash } },
      cTag: newCTag(),
    });
  }

  async read(id: string): Promise<FileContent> {
    const stored = await this.request.directory.records.get(contentCollection, this.group.id, id);
    if (!stored) throw itemNotFound('The resource has no content.');
    return {
      bytes: Buffer.from(String(stored.body['bytes']), 'base64'),
      contentType: String(stored.body['contentType']),
    };
  }

  /** Renames an entry. @throws DirectoryError 409 when the name is taken. */
  async rename(id: string, name: string): Promise<Body> {
    if (id === 'root') throw badRequest('The root of a drive cannot be renamed.', 'name');
    const { parentReference, name: before } = await this.get(id);
    checkName(name);
    if (name.toLowerCase() !== String(before).toLowerCase())
      await this.#requireNameFree(String((parentReference as Body)['id']), name);
    return this.change(id, { name });
  }

  async change(id: string, change: Body): Promise<Body> {
    const { directory } = this.request;
    const parent = await directory.records.get(parentCollection, this.group.id, id);
    const parentKey = this.#parentKey(String(parent?.body['parent']));
    const existing = await directory.records.get(entryCollection, parentKey, id);
    if (!existing) throw badRequest('The root of a drive cannot be changed.');
    const now = directory.clock.now().toISOString();
    const next = { ...existing.body, ...change, eTag: newETag(), lastModifiedDateTime: now };
    await directory.records.put(
      entryCollection,
      parentKey,
      id,
      next,
      String((next as Body)['name']).toLowerCase(),
    );
    return this.#view(id, next);
  }

  /** Deletes an entry and everything in it. */
  async remove(id: string): Promise<void> {
    if (id === 'root') throw badRequest('The root of a drive cannot be removed.');
    const { records } = this.request.directory;
    const { folder } = await this.get(id);
    if (folder) for (const child of await this.children(id)) await this.remove(String(child['id']));
    const parent = await records.get(parentCollection, this.group.id, id);
    await records.remove(entryCollection, this.#parentKey(String(parent?.body['parent'])), id);
    await records.remove(parentCollection, this.group.id, id);
    await records.remove(contentCollection, this.group.id, id);
  }

  /** @param facet `{ folder: {} }` or `{ file: {} }`. */
  async #create(folderId: string, name: string, facet: Body): Promise<Body> {
    checkName(name);
    const { directory, base } = this.request;
    const id = `01${randomUUID().replaceAll('-', '').toUpperCase()}`;
    const now = directory.clock.now().toISOString();
    const item = {
      name,
      size: 0,
      eTag: newETag(),
      cTag: newCTag(),
      ...facet,
      parentReference: { driveId: this.driveId, driveType: 'documentLibrary', id: folderId },
      webUrl: `${base}/groups/${this.group.id}/drive/items/${id}`,
      createdDateTime: now,
      lastModifiedDateTime: now,
      fileSystemInfo: { createdDateTime: now, lastModifiedDateTime: now },
    };
    await directory.records.put(
      entryCollection,
      this.#parentKey(folderId),
      id,
      item,
      name.toLowerCase(),
    );
    await directory.records.put(parentCollection, this.group.id, id, { parent: folderId });
    return this.#view(id, item);
  }

  async #findChild(folderId: string, name: string): Promise<Body | undefined> {
    return (await this.children(folderId)).find(
      (each) => String(each['name']).toLowerCase() === name.toLowerCase(),
    );
  }

  async #requireFolder(id: string): Promise<void> {
    if (id !== 'root' && !(await this.get(id))['folder'])
      throw badRequest('The entry is a file, not a folder.', 'folder');
  }

  async #requireNameFree(folderId: string, name: string): Promise<void> {
    if (await this.#findChild(folderId, name))
      throw new DirectoryError(409, 'nameAlreadyExists', `There is an item '${name}' already.`);
  }

  async #root(): Promise<Body> {
    const { createdDateTime } = this.group.body;
    return {
      id: 'root',
      name: 'root',
      size: 0,
      root: {},
      folder: { childCount: await this.#childCount('root') },
      createdDateTime,
    };
  }

  async #view(id: string, body: Body): Promise<Body> {
    return {
      id,
      ...body,
      ...(body['folder'] !== undefined && { folder: { childCount: await this.#childCount(id) } }),
    };
  }

  async #childCount(folderId: string): Promise<number> {
    return (await this.request.directory.records.list(entryCollection, this.#parentKey(folderId)))
      .length;
  }

  /** The parent of the records of a folder's entries. */
  #parentKey(folderId: string): string {
    return `${this.group.id}/${folderId}`;
  }
}

function pathSegments(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

function checkName(name: string): void {
  if (name === '' || name.length > maxNameLength || /["*:<>?/\\|]/.test(name))
    throw badRequest(
      `The name of a drive's entry needs 1 to ${maxNameLength} characters without " * : < > ? / \\ |.`,
      'name',
    );
}

/** A tag of an entry's name and content. */
function newETag(): string {
  return `"{${randomUUID().toUpperCase()}},1"`;
}

/** A tag of an entry's content. */
function newCTag(): string {
  return `"c:{${randomUUID().toUpperCase()}},0"`;
}
