import { isAbsolute, relative, resolve } from 'node:path';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { loadConfig } from '../../policies/model/load-config.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import { appliedStackFiles } from '../console/applied-stack-files.js';
import type { SandboxPaths } from '../paths.js';

/** A line of a configuration, with the address that opens it in the editor. */
export interface SourceLink {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** `vscode://file/…`. */
  readonly editor: string;
}

/** The link to a place in a file, whose path is absolute or relative to the project. */
export function sourceLinkTo(
  projectDir: string,
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
): SourceLink {
  const path = isAbsolute(file) ? file : resolve(projectDir, file);
  return {
    file: relative(projectDir, path),
    line,
    column,
    // encodeURI leaves the characters that end a path
    editor: `vscode://file${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}:${line}:${column}`,
  };
}

/** Links to the lines of the applied stacks that declare apps, groups and registrations. */
export class SourceLinks {
  private constructor(
    private readonly projectDir: string,
    private readonly stacks: readonly LoadedStack[],
  ) {}

  /** Reads the files of the applied stacks as they are now. */
  static async read(paths: SandboxPaths): Promise<SourceLinks> {
    const loadedStacks: LoadedStack[] = [];
    for (const { name, file } of appliedStackFiles(paths)) {
      const { stacks } = await loadConfig({
        paths: [file],
        environment: paths.environment,
        cwd: paths.projectDir,
      });
      loadedStacks.push(...stacks.filter(({ config }) => config.stack === name));
    }
    return new SourceLinks(paths.projectDir, loadedStacks);
  }

  /** The link to a key below an app's declaration, or to the closest declared key above it. */
  ofApp(name: string, ...path: ConfigPath): SourceLink | undefined {
    return this.#linkAt(this.#stackOf(name), ['containerApps', name, ...path]);
  }

  /**
   * The link to a key below the declaration of a group.
   *
   * @param name its display name, its mail nickname or its name in castellan.yaml
   */
  ofGroup(name: string, ...path: ConfigPath): SourceLink | undefined {
    for (const stack of this.stacks)
      for (const [key, group] of Object.entries(stack.config.groups ?? {}))
        if (group.displayName === name || group.mailNickname === name || key === name)
          return this.#linkAt(stack, ['groups', key, ...path]);
    return undefined;
  }

  /** The link to the registration that an app signs people in with. */
  ofRegistration(app: string): SourceLink | undefined {
    const stack = this.#stackOf(app);
    const directory = stack?.config.containerApps?.[app]?.auth?.providers.directory;
    return directory?.registration === undefined
      ? this.ofApp(app, 'auth', 'providers', 'directory')
      : this.#linkAt(stack, ['registrations', directory.registration]);
  }

  #stackOf(app: string): LoadedStack | undefined {
    return this.stacks.find(({ config }) => Object.hasOwn(config.containerApps ?? {}, app));
  }

  #linkAt(stack: LoadedStack | undefined, path: ConfigPath): SourceLink | undefined {
    const location = stack?.locate(path, 'key');
    return location && sourceLinkTo(this.projectDir, location);
  }
}
