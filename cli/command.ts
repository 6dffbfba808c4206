import type { Command } from 'commander';

/**
 * The streams and environment of a command, so that tests can check input, arguments, output and
 * exit code.
 */
export interface CliIo {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  /** Opens the input for answers to questions. @default no questions are asked */
  readonly stdin?: () => NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether to print more than usual (`--verbose`). @default false */
  readonly verbose?: boolean;
  /** Whether the package that runs has a command. @default every one is there */
  readonly hasCommand?: (name: string) => boolean;
}

/**
 * The export of a command file: adds the command with its options to the program. The action of the
 * command passes its exit code (see core/findings/exit-code) to `done`, or throws a CastellanError,
 * which main prints before it ends with 2.
 */
export type RegisterCommand = (
  program: Command,
  io: CliIo,
  done: (exitCode: number) => void,
) => void;

/** A command in the table of cli/commands.ts: loaded only when it runs. */
export interface CommandEntry {
  /** Its line in `castellan --help`. */
  readonly summary: string;
  /** The heading above it and the commands after it in `castellan --help`. */
  readonly heading?: string;
  readonly load: () => Promise<{ readonly register: RegisterCommand }>;
}
