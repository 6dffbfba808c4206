import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Finding } from '../../core/findings/finding.js';
import type { FileAccess } from '../../core/source/file-access.js';
import { diskFiles } from '../../core/source/file-access.js';
import { checkStack, loadConfig } from '../../policies/index.js';
import type { LoadedStack } from '../../policies/index.js';

/** What a check of one file gives the editor. */
export interface CheckedFile {
  readonly stacks: readonly LoadedStack[];
  readonly findings: readonly Finding[];
}

/** The texts that are open in the editor, laid over the disk, and the checks of them. */
export class Workspace {
  readonly #open = new Map<string, string>();

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /** Takes the text of a document as it is in the editor. */
  set(uri: string, text: string): void {
    this.#open.set(fileURLToPath(uri), text);
  }

  /** Goes back to what is on the disk. */
  forget(uri: string): void {
    this.#open.delete(fileURLToPath(uri));
  }

  /** Checks a configuration with everything that it includes. */
  async check(uri: string): Promise<CheckedFile> {
    const { stacks, findings } = await loadConfig({ paths: [fileURLToPath(uri)], cwd: '/', files: this.files });
    return { stacks, findings: [...findings, ...stacks.flatMap((stack) => checkStack(stack, { env: this.env }))] };
  }

  private get files(): FileAccess {
    return {
      look: (path) => {
        const text = this.#open.get(path);
        return text === undefined ? diskFiles.look(path) : { kind: 'file', size: Buffer.byteLength(text) };
      },
      read: (path) => {
        const text = this.#open.get(path);
        return text === undefined ? diskFiles.read(path) : Buffer.from(text);
      },
      list: (path) => diskFiles.list(path),
    };
  }
}

/** The URI of a file that a finding names. */
export function uriOf(file: string): string {
  return pathToFileURL(resolve('/', file)).href;
}
