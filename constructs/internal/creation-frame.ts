import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceLocation } from '../../core/findings/finding.js';

/**
 * The line of the user's program that runs `new SomeConstruct(…)`, in the original source: cdktf
 * records no such line, and findings need one.
 *
 * @param constructedClass `new.target` of the construct's constructor. For a user's subclass, the
 *   line where the subclass was instantiated.
 * @returns undefined if the program was evaluated from text and has no file.
 */
export function creationFrame(
  constructedClass: (...args: never[]) => unknown,
): SourceLocation | undefined {
  const holder: { stack?: string } = {};
  const previousLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1; // ts-node maps each frame through a source map, and one is needed
  try {
    Error.captureStackTrace(holder, constructedClass);
    return locationOf(holder.stack);
  } finally {
    Error.stackTraceLimit = previousLimit;
  }
}

const framePattern = /\(?((?:file:\/\/)?[^()\s][^()]*):(\d+):(\d+)\)?$/;

/**
 * The location in a stack trace of one frame, mapped through the source map beside a compiled file.
 */
export function locationOf(stack: string | undefined): SourceLocation | undefined {
  const line = stack?.split('\n').find((each) => each.trimStart().startsWith('at '));
  const match =
    line === undefined
      ? null
      : framePattern.exec(line.trim().replace(/^at (?:async )?(?:new )?/, ''));
  const file = match?.[1];
  if (file === undefined || file.startsWith('node:')) return undefined;
  const path = file.startsWith('file://') ? fileURLToPath(file) : file;
  if (!existsSync(path)) return undefined;
  return originalLocation({ file: path, line: Number(match?.[2]), column: Number(match?.[3]) });
}

const sourceMaps = new Map<string, SourceMap | undefined>();

function originalLocation(compiled: SourceLocation): SourceLocation {
  if (!compiled.file.endsWith('js')) return compiled;
  const origin = sourceMapOf(compiled.file)?.findOrigin(compiled.line, compiled.column);
  if (origin === undefined || !('fileName' in origin)) return compiled;
  const file = origin.fileName.startsWith('file://')
    ? fileURLToPath(origin.fileName)
    : resolve(dirname(compiled.file), origin.fileName);
  return existsSync(file)
    ? { file, line: origin.lineNumber, column: origin.columnNumber }
    : compiled;
}

function sourceMapOf(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) sourceMaps.set(file, readSourceMap(file));
  return sourceMaps.get(file);
}

/** How many characters at the end of a compiled file are searched for its source map's name. */
const maxSourceMapComment = 4096;

function readSourceMap(file: string): SourceMap | undefined {
  const reference = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(
    readFileSync(file, 'utf8').slice(-maxSourceMapComment),
  )?.[1];
  if (reference === undefined || reference.startsWith('data:')) return undefined;
  try {
    return new SourceMap(
      JSON.parse(readFileSync(resolve(dirname(file), reference), 'utf8')) as ConstructorParameters<
        typeof SourceMap
      >[0],
    );
  } catch {
    return undefined; // the map is missing or invalid: the compiled line is still a line that the user can open
  }
}
